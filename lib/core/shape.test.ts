import { expect, test } from 'vitest';
import { isFlag, isListOf, isNullOr, isNumber, isShape, isText, requireShape } from './shape';

const isPage = isShape<{ rows: string[]; more: boolean; first: number | null }>({ rows: isListOf(isText), more: isFlag, first: isNullOr(isNumber) });

test('an answer with all its members is taken as it is, further ones included', () => {
  const answer = { rows: ['a'], more: false, first: null, later: 1 };
  expect(requireShape(answer, isPage)).toBe(answer);
});

test.each([null, [], 'text', {}, { rows: 'a', more: false, first: 1 }, { rows: [1], more: false, first: 1 }, { rows: [], more: 0, first: 1 }, { rows: [], more: true }])(
  'anything else is refused with what to do (%j)',
  (answer) => {
    expect(() => requireShape(answer, isPage)).toThrow('Reload the page');
  },
);
