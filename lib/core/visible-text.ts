/**
 * Text of strangers with what a person cannot see written out: control, bidirectional, zero-width and
 * tag characters become `<U+202E>`. Tab and newline stay. A joiner between two emoji, and marks that
 * Arabic and Hebrew need, stay as they are only where they carry meaning: U+200D after a pictograph.
 */
export function toVisibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

const HIDDEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|[\u{E0000}-\u{E007F}]/gu;

/** Whether anything in the text is hidden from a reader. */
export const hasHiddenText = (text: string): boolean => toVisibleText(text) !== text;
