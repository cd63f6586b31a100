import { toStatedFields } from '@/lib/servers';

/**
 * The JSON that stands in the field for what the form says; `readPasted` reads it back to the same.
 * Takes incomplete forms too: without a key the entry alone is written.
 */
export function toPasted(fields: Readonly<Record<string, unknown>>): string {
  const stated = toStatedFields(fields);
  const key = fields['key'];
  const whole = typeof key === 'string' && key !== '' ? { mcpServers: { [key]: stated } } : stated;
  return JSON.stringify(whole, null, 2);
}
