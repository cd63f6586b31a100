import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandText, toLiteralText } from './expand-text';

const variables: Readonly<Record<string, string>> = { HOME: '/home/ann', EMPTY: '', NESTED: '${HOME}', SIGNALBOX_KEY: 'never' };
const context = {
  field: 'args.0',
  findVariable: (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
  findSecret: (name: string) => (name === 'TOKEN' ? 's3cret' : undefined),
};

const expand = (text: string) => expandText(text, context);

describe('expandText', () => {
  it.each([
    ['plain', 'plain'],
    ['${HOME}/x', '/home/ann/x'],
    ['${EMPTY}', ''],
    ['${EMPTY:-d}', 'd'],
    ['${MISSING:-a b}', 'a b'],
    ['${MISSING:-}', ''],
    ['${HOME:-x}', '/home/ann'],
    ['Bearer ${secret:TOKEN}', 'Bearer s3cret'],
    ['$${HOME}', '${HOME}'],
    ['$HOME $5 $$', '$HOME $5 $$'],
    ['${NESTED}', '${HOME}'],
  ])('%s becomes %s', (text, expanded) => {
    expect(expand(text)).toEqual({ ok: true, value: expanded });
  });

  it.each(['${MISSING}', '${secret:NONE}', '${SIGNALBOX_KEY}', '${SIGNALBOX_KEY:-x}', '${', '${}', '${a b}', '${HOME', '${input:x}', '${A:-${B}}'])(
    'refuses %s, naming the field',
    (text) => {
      const expanded = expand(text);
      expect(!expanded.ok && expanded.error[0]?.field).toBe('args.0');
      expect(!expanded.ok && expanded.error[0]?.message).toContain('args.0');
    },
  );

  it('names the variable that is missing', () => {
    const expanded = expand('${ONE}-${TWO}');
    expect(!expanded.ok && expanded.error.map(({ message }) => /ONE|TWO/.exec(message)?.[0])).toEqual(['ONE', 'TWO']);
  });

  it('takes the own names of the field and no others', () => {
    const own = { ...context, ownNames: { SIGNALBOX_JOB_DIR: '/jobs/1' } };
    expect(expandText('${SIGNALBOX_JOB_DIR}:/data', own)).toEqual({ ok: true, value: '/jobs/1:/data' });
    expect(expandText('${SIGNALBOX_HOME}', own).ok).toBe(false);
  });

  it('leaves text without placeholders as it is, and gives escaped text back whole', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.array(fc.constantFrom('$', '{', '}', 'A')).map((parts) => parts.join(''))), (text) => {
        expect(expand(toLiteralText(text))).toEqual({ ok: true, value: text });
      }),
    );
  });

  it('never lets a placeholder out literally', () => {
    const piece = fc.constantFrom('${', '}', '$', 'HOME', 'MISSING', ':-', 'secret:', 'TOKEN', 'x');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        fc.pre(!text.includes('$${'));
        const expanded = expand(text);
        if (expanded.ok) expect(expanded.value).not.toContain('${');
      }),
    );
  });
});
