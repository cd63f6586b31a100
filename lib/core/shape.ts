/** Whether a value is of a kind; what a check of `isShape` is made of. */
export type Check<T> = (value: unknown) => value is T;

export const isText: Check<string> = (value): value is string => typeof value === 'string';
export const isNumber: Check<number> = (value): value is number => typeof value === 'number';
export const isFlag: Check<boolean> = (value): value is boolean => typeof value === 'boolean';
/** An object that is taken for what its maker says: only for answers of our own. */
export const isOwn = <T extends object>(value: unknown): value is T => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isListOf = <T>(isItem: Check<T>): Check<T[]> => (value): value is T[] => Array.isArray(value) && value.every((item) => isItem(item));
export const isNullOr = <T>(isValue: Check<T>): Check<T | null> => (value): value is T | null => value === null || isValue(value);

export const isOptional = <T>(isValue: Check<T>): Check<T | undefined> => (value): value is T | undefined => value === undefined || isValue(value);

/**
 * Whether an object has the members that it should. For what the browser reads of the console itself, whose shape is
 * checked where it is made: the library that checks the rest would be a tenth of all script that a page loads.
 */
export const isShape = <T extends object>(checks: { readonly [Name in keyof T]: Check<T[Name]> }): Check<T> => (value): value is T =>
  isOwn<Record<string, unknown>>(value) && Object.entries<Check<unknown>>(checks).every(([name, check]) => check(value[name]));

/** @throws Error where the answer has another shape, which only a console of another version gives */
export function requireShape<T>(value: unknown, check: Check<T>): T {
  if (check(value)) return value;
  throw new Error('The console answered in a shape that this page does not know. Reload the page.');
}
