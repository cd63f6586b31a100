/** Closes a switch over a union: a new member becomes a type error where it is not handled. */
export function assertNever(value: never): never {
  throw new Error(`unhandled member: ${JSON.stringify(value)}`);
}
