import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { Input } from '../../ui/input';

/** Asks for the entry to compare this one with; a plain form, since what follows is a page. */
export const CompareWith = ({ sequence }: { readonly sequence: number }) => (
  <form action="/ledger/compare" method="get" className="flex items-end gap-2">
    <input type="hidden" name="a" value={sequence} />
    <Field label="Compare with entry">
      <Input name="b" inputMode="numeric" pattern="[1-9][0-9]*" required placeholder={String(Math.max(1, sequence - 1))} />
    </Field>
    <Button type="submit">Compare</Button>
  </form>
);
