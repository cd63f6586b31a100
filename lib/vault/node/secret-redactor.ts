import { Redactor } from '@/lib/core';

/** A redactor that learns: a value that was once secret stays scrubbed for as long as the process lives. */
export class SecretRedactor extends Redactor {
  private readonly known = new Set<string>();
  private current = new Redactor();

  /** Values of the vault, and of secret-named fields, in clear. */
  learn(values: readonly string[]): void {
    const fresh = values.filter((value) => value !== '' && !this.known.has(value));
    if (fresh.length === 0) return;
    for (const value of fresh) this.known.add(value);
    this.current = new Redactor([...this.known]);
  }

  override withoutValues(text: string): string {
    return this.current.withoutValues(text);
  }

  override withoutWireValues(text: string, isCut: boolean): string {
    return this.current.withoutWireValues(text, isCut);
  }
}
