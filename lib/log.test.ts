import { expect, it } from 'vitest';
import { SecretRedactor } from '@/lib/vault/node';
import { createLogger } from './log';

function logTo(lines: string[], redactor = new SecretRedactor()) {
  return createLogger({ level: 'info', redactor, destination: 'stderr', write: (line) => lines.push(line) });
}

it('scrubs secret-named fields, secret shapes and values of the vault wherever they stand', () => {
  const lines: string[] = [];
  const redactor = new SecretRedactor();
  const log = logTo(lines, redactor);
  redactor.learn(['tr"icky\nvalue-of-the-vault']);
  log.info({ headers: { authorization: 'abc' }, nested: [{ API_KEY: 'def' }] }, 'call with Bearer abcdefghijkl');
  log.error({ err: new Error('server said tr"icky\nvalue-of-the-vault', { cause: new Error('sk-live-0123456789abcdef') }) }, 'failed');
  log.child({ url: 'https://user:hunter2hunter@example.org/?token=qwertyuiop' }).info('child');
  const text = lines.join('');
  for (const secret of ['"abc"', '"def"', 'abcdefghijkl', 'value-of-the-vault', '0123456789abcdef', 'hunter2hunter', 'qwertyuiop']) {
    expect(text).not.toContain(secret);
  }
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.endsWith('\n') && JSON.parse(line))).toBe(true);
  expect(text).toContain('failed');
});

it('learns values after it was made and never forgets one', () => {
  const lines: string[] = [];
  const redactor = new SecretRedactor();
  const log = logTo(lines, redactor);
  redactor.learn(['first-secret']);
  redactor.learn(['second-secret']);
  log.info('first-secret and second-secret');
  expect(lines[0]).toContain('[redacted] and [redacted]');
});
