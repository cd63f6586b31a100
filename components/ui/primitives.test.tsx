// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Callout } from './callout';
import { CodeBlock } from './code-block';
import { Field } from './field';
import { findCommand } from './find-command';
import { formatRelative } from './format-time';
import { Input } from './input';
import { MEANING_LOOKS, MEANINGS } from './meaning';
import { Status } from './status';
import { Switch } from './switch';

afterEach(cleanup);

describe('a status', () => {
  test('has a shape and a word for every meaning, so that colour is never alone', () => {
    for (const meaning of MEANINGS) {
      const { container, unmount } = render(<Status meaning={meaning} />);
      const shape = container.querySelector('[aria-hidden]');
      expect(shape?.textContent !== '' || shape.querySelector('svg') !== null).toBe(true);
      expect(container.textContent).toContain(MEANING_LOOKS[meaning].word);
      unmount();
    }
    expect(new Set(MEANINGS.map((meaning) => MEANING_LOOKS[meaning].shape)).size).toBe(MEANINGS.length);
  });

  test('keeps its word for assistive technology where only the shape is drawn', () => {
    render(<Status meaning="bad" word="failing" shapeOnly />);
    expect(screen.getByText('failing').className).toContain('sr-only');
  });
});

describe('a callout', () => {
  test('puts the remedy in its own line with the command to copy', () => {
    render(<Callout meaning="attention" message="pdftotext is not on the PATH" remedy="Install it: apt-get install poppler-utils" />);
    expect(screen.getByText('Do this:')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy the command apt-get install poppler-utils' })).toBeTruthy();
  });

  test('offers nothing to copy where the remedy names no command', () => {
    render(<Callout meaning="bad" message="The server is resting." remedy="Wait 40 s: then one call tries it." />);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('says who wrote the remedy, and writes out what a stranger’s text hides', () => {
    const { container } = render(<Callout meaning="bad" message={'safe\u202Etxt.exe'} remedy="Look again." remedyBy="server" />);
    expect(container.textContent).toContain('safe<U+202E>txt.exe');
    expect(container.textContent).toContain('the server’s advice');
  });
});

describe('the command in a remedy', () => {
  test.each([
    ['apt-get install tesseract-ocr', 'apt-get install tesseract-ocr'],
    ['Install it with `brew install yara`, then restart.', 'brew install yara'],
    ['Make it executable: chmod +x /opt/tool/run.', 'chmod +x /opt/tool/run'],
    ['Run npm install -g foo and start the server again.', 'npm install -g foo'],
    ['npx is not on the PATH that the console sees: install Node, or give its full path.', undefined],
    ['Open the page of files and run its connection test: it shows which step fails.', undefined],
  ])('%s', (remedy, command) => {
    expect(findCommand(remedy)).toBe(command);
  });
});

describe('a field', () => {
  test('ties its label, hint and error to the control', () => {
    render(
      <Field label="Key" hint="Small letters and digits." error="Write another key.">
        <Input defaultValue="A B" />
      </Field>,
    );
    const input = screen.getByLabelText('Key');
    const described = (input.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);
    expect(described.join(' ')).toContain('Small letters and digits.');
    expect(described.join(' ')).toContain('Write another key.');
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });
});

test('a switch says its state in a word and as its role has it', () => {
  const onChange = vi.fn();
  render(<Switch label="files enabled" checked onChange={onChange} />);
  const control = screen.getByRole('switch', { name: 'files enabled', checked: true });
  expect(control.textContent).toContain('on');
  fireEvent.click(control);
  expect(onChange).toHaveBeenCalledWith(false);
});

test('a code block shows what cannot be seen', () => {
  render(<CodeBlock label="the first lines of stderr" text={'a\u0007b'} />);
  expect(screen.getByRole('region', { name: 'the first lines of stderr' }).textContent).toBe('a<U+0007>b');
});

test('a time is told by its distance, then by its date', () => {
  const now = Date.UTC(2026, 0, 5, 12);
  expect(formatRelative(now - 2_000, now)).toBe('just now');
  expect(formatRelative(now - 125_000, now)).toBe('2 min ago');
  expect(formatRelative(now + 40_000, now)).toBe('in 40 s');
  expect(formatRelative(now - 30 * 86_400_000, now)).toMatch(/^2025-12-0\d \d\d:\d\d:\d\d$/);
});
