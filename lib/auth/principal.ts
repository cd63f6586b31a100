import type { RunId } from '@/lib/core';
import type { Role } from './role';

export const ACTOR_KINDS = ['person', 'pack', 'model', 'gateway', 'cli', 'console'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who acts: shown on entries and in the audit log. */
export interface Actor {
  readonly kind: ActorKind;
  /** A person's e-mail address, `cli:<user>`, or `console`. */
  readonly name: string;
}

/** Someone (or something) whose rights were established. */
export interface Principal {
  readonly actor: Actor;
  readonly role: Role;
  /** The session run that calls by hand belong to: one for each sign-in or command. */
  readonly sessionRunId: RunId;
}
