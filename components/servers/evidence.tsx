import { toVisibleText } from '@/lib/core';
import type { Evidence as EvidenceFacts } from '@/lib/pool';
import { CodeBlock } from '../ui/code-block';
import { KeyValueList } from '../ui/key-value';

interface EvidenceProps {
  readonly evidence: EvidenceFacts;
  /** The sentence beside it: what that quotes whole is not shown once more. */
  readonly said: string;
}

/** What was seen, as it was; nothing where the sentence says all of it. */
export function Evidence({ evidence, said }: EvidenceProps) {
  const { certificate, headers } = evidence;
  const unsaid = (text: string | undefined): string | null => (text === undefined || said.includes(text) ? null : textOf(text));
  const facts = [
    { key: 'Exit code', value: evidence.exitCode === undefined || evidence.exitCode === null ? null : String(evidence.exitCode) },
    { key: 'Signal', value: evidence.signal ?? null },
    { key: 'HTTP status', value: evidence.httpStatus === undefined ? null : String(evidence.httpStatus) },
    { key: 'Close code', value: evidence.closeCode === undefined ? null : String(evidence.closeCode) },
    { key: 'Reason given', value: textOf(evidence.closeReason) },
    { key: 'Content type', value: textOf(evidence.contentType), mono: true },
    { key: 'Path', value: unsaid(evidence.path), mono: true },
    { key: 'In its words', value: unsaid(evidence.detail), mono: true },
    { key: 'Certificate of', value: textOf(certificate?.subject) },
    { key: 'issued by', value: textOf(certificate?.issuer) },
    { key: 'valid from', value: textOf(certificate?.validFrom) },
    { key: 'valid to', value: textOf(certificate?.validTo) },
    { key: 'Headers', value: headers === undefined ? null : textOf(Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join('\n')), mono: true },
  ];
  const hasFacts = facts.some(({ value }) => value !== null);
  if (!hasFacts && !hasLines(evidence.stderr) && !hasLines(evidence.stdout) && !evidence.body) return null;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {hasFacts ? <KeyValueList items={facts} className="text-sm" /> : null}
      <Lines label="Last lines of stderr" lines={evidence.stderr} />
      <Lines label="On stdout, where only the protocol belongs" lines={evidence.stdout} />
      {evidence.body === undefined || evidence.body === '' ? null : <Labelled label="First part of the body" text={evidence.body} />}
    </div>
  );
}

const hasLines = (lines: readonly string[] | undefined): lines is readonly string[] => lines !== undefined && lines.length > 0;

const Lines = ({ label, lines }: { readonly label: string; readonly lines: readonly string[] | undefined }) =>
  hasLines(lines) ? <Labelled label={label} text={lines.join('\n')} /> : null;

const Labelled = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div className="flex flex-col gap-1">
    <p className="text-sm text-muted">{label}</p>
    <CodeBlock text={text} label={label} />
  </div>
);

const textOf = (text: string | undefined): string | null => (text === undefined || text === '' ? null : toVisibleText(text));
