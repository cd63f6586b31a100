import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements';

test('every promised behaviour is cited by a browser test', () => {
  const folder = join(import.meta.dirname, 'specs');
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const uncited = Object.keys(REQUIREMENTS).filter((id) => !text.includes(`'${id}'`));
  expect(uncited).toEqual([]);
});
