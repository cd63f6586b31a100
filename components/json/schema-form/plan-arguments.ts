import { normaliseSchema, type NormalSchema } from '../schema';
import type { FormPlan } from './form-schema';
import { toFormSchema } from './to-form-schema';

/** What can be made of a tool's input schema. */
export interface ArgumentPlan {
  /** null where no form can be made: then `problem` says why. */
  readonly form: FormPlan | null;
  /** null where nothing can be checked either. */
  readonly check: NormalSchema | null;
  readonly problem: string | null;
  readonly notes: readonly string[];
}

/** Plans how a tool's arguments are asked for; bounded whatever the schema is, and never throws. */
export function planArguments(inputSchema: unknown): ArgumentPlan {
  try {
    const normal = normaliseSchema(inputSchema);
    if (!normal.ok) return { form: null, check: null, problem: normal.error, notes: [] };
    const { schema, warnings } = normal.value;
    const form = toFormSchema(schema);
    return form.ok
      ? { form: form.value, check: schema, problem: null, notes: [...form.value.notes, ...warnings] }
      : { form: null, check: schema, problem: form.error, notes: warnings };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { form: null, check: null, problem: 'The schema is nested too deep to be read here.', notes: [] };
  }
}
