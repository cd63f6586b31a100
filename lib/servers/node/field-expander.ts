import { isSecretName, type FieldError } from '@/lib/core';
import { expandText } from '..';

/** Expands the fields of one entry, gathering every error and every secret value on the way. */
export class FieldExpander {
  readonly errors: FieldError[] = [];
  readonly secretValues = new Set<string>();

  constructor(
    private readonly environment: Readonly<Record<string, string>>,
    private readonly vault: (name: string) => string | undefined,
  ) {}

  /** The text with its placeholders replaced; empty where it cannot be, with the errors kept. */
  expand(field: string, text: string, ownNames: Readonly<Record<string, string>> = {}): string {
    const expanded = expandText(text, {
      field,
      findVariable: (name) => this.findVariable(name),
      findSecret: (name) => this.findSecret(name),
      ownNames,
    });
    if (expanded.ok) return expanded.value;
    for (const error of expanded.error) this.fail(error.field, error.message);
    return '';
  }

  findVariable(name: string): string | undefined {
    const value = Object.hasOwn(this.environment, name) ? this.environment[name] : undefined;
    if (value !== undefined && isSecretName(name)) this.keepSecret(value);
    return value;
  }

  findSecret(name: string): string | undefined {
    const value = this.vault(name);
    if (value !== undefined) this.keepSecret(value);
    return value;
  }

  keepSecret(value: string): void {
    if (value.trim() !== '') this.secretValues.add(value.trim());
  }

  /** Notes an error once: a field that is expanded twice is wrong once. */
  fail(field: string, message: string): void {
    if (!this.errors.some((error) => error.field === field && error.message === message)) this.errors.push({ field, message });
  }
}
