/** A file that an answer named was not taken; the message says why, as the end of a sentence. */
export class NotTaken extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'NotTaken';
  }
}
