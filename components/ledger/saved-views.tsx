'use client';

import type { Route } from 'next';
import Link from 'next/link';
import { useState } from 'react';
import { toVisibleText, type ActionResult } from '@/lib/core';
import { MAX_VIEW_NAME_CHARACTERS, type SavedView } from '@/lib/ledger';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Popover } from '../ui/popover';
import { useToast } from '../ui/toast';

/** What the page can do with views; what may not be done is refused there again. */
export interface ViewActions {
  readonly saveView: (input: { readonly name: string; readonly search: string; readonly shared: boolean }) => Promise<ActionResult<unknown>>;
  readonly changeView: (input: { readonly id: string; readonly name?: string; readonly shared?: boolean }) => Promise<ActionResult<unknown>>;
  readonly removeView: (input: { readonly id: string }) => Promise<ActionResult<unknown>>;
}

interface SavedViewsProps {
  readonly views: readonly SavedView[];
  /** The filter that is set, as its part of the address. */
  readonly search: string;
  /** Who looks: their own views can be changed. */
  readonly ownerName: string;
  readonly mayShare: boolean;
  /** Whether shared views of others may be deleted. */
  readonly mayManage: boolean;
  readonly actions: ViewActions;
}

export const SavedViews = (props: SavedViewsProps) => (
  <Popover label="Views" note={props.views.length === 0 ? null : <span className="text-muted">{props.views.length}</span>}>
    <ViewChoices {...props} />
  </Popover>
);

function ViewChoices({ views, search, ownerName, mayShare, mayManage, actions }: SavedViewsProps) {
  const toast = useToast();
  const [renaming, setRenaming] = useState<string | null>(null);
  const run = async (work: Promise<ActionResult<unknown>>): Promise<boolean> => {
    const answer = await work;
    if (!answer.ok) toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
    return answer.ok;
  };
  return (
    <>
      {views.length === 0 ? <p className="max-w-64 text-sm text-muted">A filter that is used again gets a name here.</p> : null}
      <ul aria-label="Saved views" className="flex max-h-80 flex-col gap-1 overflow-y-auto">
        {views.map((view) => {
          const isOwn = view.ownerName === ownerName;
          const name = toVisibleText(view.name);
          if (renaming === view.id) {
            return (
              <li key={view.id}>
                <NameForm
                  label={`New name of ${name}`}
                  name={view.name}
                  onSave={async (changed) => {
                    if (await run(actions.changeView({ id: view.id, name: changed }))) setRenaming(null);
                  }}
                />
              </li>
            );
          }
          return (
            <li key={view.id} className="flex flex-wrap items-center gap-2">
              {/* Addresses of filters are made at run time, beyond what typed routes can check. */}
              <Link href={`/ledger?${view.search}` as Route} aria-current={view.search === search ? 'page' : undefined} className="min-w-40 flex-1 truncate text-sm hover:underline aria-[current]:font-medium">
                {name}
              </Link>
              {view.shared ? <Badge>{isOwn ? 'shared' : `of ${toVisibleText(view.ownerName)}`}</Badge> : null}
              {isOwn ? (
                <>
                  <Button size="small" variant="quiet" aria-label={`Rename ${name}`} onClick={() => setRenaming(view.id)}>Rename</Button>
                  {mayShare || view.shared ? (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={view.shared ? `Keep ${name} to myself` : `Share ${name} with everybody`}
                      onClick={() => void run(actions.changeView({ id: view.id, shared: !view.shared }))}
                    >
                      {view.shared ? 'Unshare' : 'Share'}
                    </Button>
                  ) : null}
                </>
              ) : null}
              {isOwn || mayManage ? (
                <Button size="small" variant="quiet" aria-label={`Delete the view ${name}`} onClick={() => void run(actions.removeView({ id: view.id }))}>Delete</Button>
              ) : null}
            </li>
          );
        })}
      </ul>
      {search === '' ? (
        <p className="max-w-64 text-xs text-muted">Set a filter to save it as a view.</p>
      ) : (
        <SaveForm mayShare={mayShare} onSave={(name, shared) => run(actions.saveView({ name, search, shared }))} />
      )}
    </>
  );
}

function SaveForm({ mayShare, onSave }: { readonly mayShare: boolean; readonly onSave: (name: string, shared: boolean) => Promise<boolean> }) {
  const [shared, setShared] = useState(false);
  const [saved, setSaved] = useState(0);
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      <NameForm
        key={saved}
        label="Save the filter as"
        name=""
        onSave={async (name) => {
          if (await onSave(name, shared)) setSaved(saved + 1);
        }}
      />
      {mayShare ? <Checkbox label="Share with everybody" checked={shared} onChange={() => setShared(!shared)} /> : null}
    </div>
  );
}

function NameForm({ label, name, onSave }: { readonly label: string; readonly name: string; readonly onSave: (name: string) => Promise<void> }) {
  const [text, setText] = useState(name);
  const [pending, setPending] = useState(false);
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setPending(true);
        void onSave(text.trim()).finally(() => setPending(false));
      }}
    >
      <Field label={label} className="flex-1">
        <Input value={text} maxLength={MAX_VIEW_NAME_CHARACTERS} required onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button type="submit" pending={pending} disabled={text.trim() === ''}>Save</Button>
    </form>
  );
}
