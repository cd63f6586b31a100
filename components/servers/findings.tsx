import type { Finding } from '@/lib/manifests';
import { Code } from '../ui/code-block';

const WORDS: Record<Finding['kind'], string> = {
  instructions: 'tells a model what to do',
  hidden_characters: 'has characters that cannot be seen',
  terminal_codes: 'has codes for a terminal',
  look_alike_name: 'has letters that look like others',
  secret_asked: 'speaks of secrets',
  other_server_named: 'names a tool of another server',
};

/** What in a tool's texts a person should look at, with the text that raised it. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul aria-label="Look at this" className="flex flex-col gap-1 text-sm">
      {findings.map((finding) => (
        <li key={`${finding.kind} ${finding.where} ${finding.quote}`} className="flex gap-2">
          <span className="text-attention" aria-hidden="true">{'▲\uFE0E'}</span>
          <span className="min-w-0">
            <Code>{finding.where}</Code> {WORDS[finding.kind]}: <q className="text-muted [overflow-wrap:anywhere]">{finding.quote}</q>
          </span>
        </li>
      ))}
    </ul>
  );
}
