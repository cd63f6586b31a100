import { err, ok, type Result } from '@/lib/core';
import { toLiteralText } from '@/lib/servers';

/** Why a line cannot be taken as one command; `offset` counts characters from 0. */
export interface CommandLineProblem {
  readonly message: string;
  readonly offset: number;
}

const OPERATORS = new Set(['|', '&', ';', '<', '>', '(', ')', '`', '\n']);
const NAME_AFTER_DOLLAR = /^\$([A-Za-z_][A-Za-z0-9_]*)/;
const BRACED = /^\$\{[^}]*\}/;

/**
 * The words of a command line by the quoting rules of POSIX. Nothing is run by a shell here, so what only a shell
 * can do is refused with a sentence; variables (`$NAME` outside single quotes) become our `${NAME}`, a leading
 * `~/` becomes `${HOME}/`, and a `${` that was quoted becomes the literal `$${`.
 */
export function splitCommandLine(text: string): Result<readonly string[], CommandLineProblem> {
  const scanner = new CommandLineScanner(text);
  return scanner.scan();
}

class CommandLineScanner {
  private offset = 0;
  private readonly words: string[] = [];
  /** The word being read; null between words, since `''` is a word too. */
  private word: string | null = null;

  constructor(private readonly text: string) {}

  scan(): Result<readonly string[], CommandLineProblem> {
    while (this.offset < this.text.length) {
      const problem = this.scanNext();
      if (problem) return err(problem);
    }
    this.endWord();
    return ok(this.words);
  }

  private scanNext(): CommandLineProblem | null {
    const character = this.text.charAt(this.offset);
    if (character === '\\') return this.scanEscape();
    if (character === "'") return this.scanSingleQuoted();
    if (character === '"') return this.scanDoubleQuoted();
    if (character === '$') return this.scanDollar();
    if (OPERATORS.has(character)) return this.problem(operatorSentence(character));
    if (/\s/.test(character)) this.endWord();
    else if (character === '~' && this.word === null && /^~(?:\/|\s|$)/.test(this.rest())) this.append('${HOME}');
    else this.append(character);
    this.offset += 1;
    return null;
  }

  private scanEscape(): CommandLineProblem | null {
    const next = this.text.charAt(this.offset + 1);
    if (next === '$') {
      this.appendEscaped(next);
      return null;
    }
    // A backslash at the end of a line joins it with the next one.
    const breakLength = /^(?:\r\n|\n)/.exec(this.text.slice(this.offset + 1))?.[0].length ?? 0;
    if (breakLength === 0) this.append(next === '' ? '\\' : next);
    this.offset += 1 + Math.max(1, breakLength);
    return null;
  }

  private scanSingleQuoted(): CommandLineProblem | null {
    const end = this.text.indexOf("'", this.offset + 1);
    if (end < 0) return this.problem('The quote \' that begins here is not closed.');
    this.append(toLiteralText(this.text.slice(this.offset + 1, end)));
    this.offset = end + 1;
    return null;
  }

  private scanDoubleQuoted(): CommandLineProblem | null {
    const start = this.offset;
    this.append('');
    this.offset += 1;
    while (this.offset < this.text.length) {
      const character = this.text.charAt(this.offset);
      if (character === '"') {
        this.offset += 1;
        return null;
      }
      const next = this.text.charAt(this.offset + 1);
      if (character === '`') return this.problem(operatorSentence('`'));
      if (character === '$') {
        const problem = this.scanDollar();
        if (problem) return problem;
      } else if (character === '\\' && next !== '' && '$`"\\\n'.includes(next)) {
        this.appendEscaped(next);
      } else {
        this.append(character);
        this.offset += 1;
      }
    }
    this.offset = start;
    return this.problem('The quote " that begins here is not closed.');
  }

  private appendEscaped(next: string): void {
    // Quoted, so `\${` is no placeholder.
    if (next === '$' && this.text.charAt(this.offset + 2) === '{') this.append('$');
    if (next !== '\n') this.append(next);
    this.offset += 2;
  }

  private scanDollar(): CommandLineProblem | null {
    const rest = this.rest();
    if (rest.startsWith('$(')) return this.problem(operatorSentence('$('));
    const braced = BRACED.exec(rest)?.[0];
    const name = NAME_AFTER_DOLLAR.exec(rest);
    this.append(braced ?? (name?.[1] !== undefined ? `\${${name[1]}}` : '$'));
    this.offset += braced?.length ?? name?.[0].length ?? 1;
    return null;
  }

  private rest(): string {
    return this.text.slice(this.offset, this.offset + 4096);
  }

  private append(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  private endWord(): void {
    if (this.word !== null) this.words.push(this.word);
    this.word = null;
  }

  private problem(message: string): CommandLineProblem {
    return { message, offset: this.offset };
  }
}

const NO_SHELL = 'A server is started without one';

function operatorSentence(operator: string): string {
  switch (operator) {
    case '\n':
      return 'A second line begins here: paste one command (a line that goes on ends in a backslash).';
    case '|':
    case '<':
    case '>':
      return `"${operator}" joins programs or files in a shell. ${NO_SHELL}: paste the one command that speaks the protocol.`;
    case ';':
    case '&':
      return `"${operator}" puts commands together in a shell. ${NO_SHELL}: paste one command, and give its folder as cwd.`;
    default:
      return `"${operator}" is for a shell to work out. ${NO_SHELL}: write the value itself, or quote it.`;
  }
}
