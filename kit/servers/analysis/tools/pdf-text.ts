import { z } from 'zod';

import { MiB } from '@/lib/core';
import { ToolFailure, defineTool } from '@/kit';

import { pathArgument, READS_ONLY } from '../arguments';
import { withFile } from '../open-file';
import { runProgram } from '../programs/run-program';

const MOST_TEXT_BYTES = 4 * MiB;

export const pdfText = defineTool({
  name: 'pdf_text',
  title: 'Text of a PDF',
  description: 'Extracts the text of a PDF, page by page, as it is laid out. Nothing in the document is run. Scanned pages have no text.',
  input: z.strictObject({
    path: pathArgument,
    first_page: z.int().min(1).default(1).describe('First page to read (default 1).'),
    last_page: z.int().min(1).optional().describe('Last page to read; the last of the document when absent.'),
    max_characters: z.int().min(100).max(1_000_000).default(50_000).describe('Characters to answer (default 50000).'),
  }),
  output: z.object({ text: z.string(), pages: z.int().describe('Pages read.'), characters: z.int(), truncated: z.boolean() }),
  annotations: READS_ONLY,
  needs: { binary: 'pdftotext' },
  remediation: 'Install the Poppler tools (Debian and Ubuntu: apt-get install poppler-utils; macOS: brew install poppler), then restart this server.',
  timeout_s: 120,
  run: ({ path, first_page, last_page, max_characters }, context) =>
    withFile(path, context, async (file) => {
      if (last_page !== undefined && last_page < first_page) {
        throw new ToolFailure('bad_argument', '/last_page: it lies before first_page.', 'Give a last_page that is first_page or later.');
      }
      if (!(await file.read(0, 1024)).includes('%PDF-')) {
        throw new ToolFailure('unsupported_format', `${file.name} is no PDF.`, 'identify_file says what it is.');
      }
      const pages = ['-f', String(first_page), ...(last_page === undefined ? [] : ['-l', String(last_page)])];
      const { exitCode, stdout, stderr, isCut } = await runProgram(
        context.dependency ?? 'pdftotext',
        ['-layout', '-enc', 'UTF-8', ...pages, '/dev/stdin', '-'],
        { input: file.descriptor, signal: context.signal, mostBytes: MOST_TEXT_BYTES },
      );
      if (exitCode !== 0 && !isCut) throw toPdfFailure(file.name, stderr);
      // A form feed ends each page.
      const text = stdout.slice(0, max_characters);
      return { text, pages: stdout.split('\f').length - 1, characters: stdout.length, truncated: isCut || text.length < stdout.length };
    }),
});

const toPdfFailure = (name: string, stderr: string): ToolFailure =>
  /password/i.test(stderr)
    ? new ToolFailure('unsupported_format', `${name} is encrypted with a password.`, 'Remove the password with a PDF program, then try again.')
    : new ToolFailure('tool_failed', `The text of ${name} could not be read: ${stderr === '' ? 'pdftotext gave no reason' : stderr}`, 'The document may be damaged: get a whole copy, or read single pages with first_page and last_page.');
