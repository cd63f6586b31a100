import { formatDuration, toVisibleText } from '@/lib/core';
import type { ConnectFailure, ServerState } from '@/lib/pool';
import { Callout } from '../ui/callout';
import { CodeBlock } from '../ui/code-block';
import { KeyValueList } from '../ui/key-value';
import { Section } from '../ui/page';
import { DateTime, RelativeTime } from '../ui/relative-time';
import { TextLink } from '../ui/text-link';
import type { ChangeAddress, ChangeRest } from './action';
import { Evidence } from './evidence';
import { FailedTest } from './failed-test';
import { LiveLoad } from './live-load';
import { PageWarnings } from './server-warnings';
import { StateNote } from './state-note';
import { TestStages } from './test-stages';
import { UnavailableTools } from './unavailable-tools';
import type { ServerDetailView, ServerRights } from './views';

/** An argument as it is, quoted where its bounds would not be seen. */
const toWord = (argument: string): string => (/^[^\s"'\\]+$/.test(argument) ? argument : JSON.stringify(argument));

interface ServerOverviewProps {
  readonly server: ServerDetailView;
  readonly rights: ServerRights;
  readonly changeRest: ChangeRest;
  readonly changeAddress: ChangeAddress;
}

/** Why it does not stand, or did not at the attempt before. */
function findFailure(state: ServerState): ConnectFailure | null {
  if (state.name === 'failing' || state.name === 'sign_in_needed') return state.failure;
  return state.name === 'starting' ? (state.lastFailure ?? null) : null;
}

/** How a server stands, what is known of it, and what its last test showed. */
export function ServerOverview({ server, rights, changeRest, changeAddress }: ServerOverviewProps) {
  const { card, entry, facts, lastTest } = server;
  const mayChange = rights.manage && !card.fromFile;
  const failure = findFailure(card.state);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <StateNote state={card.state} serverKey={card.key} changeRest={rights.manage ? changeRest : null} changeAddress={mayChange ? changeAddress : null} />
        <FailedTest card={card} changeAddress={mayChange ? changeAddress : null} />
        {failure === null ? null : <Evidence evidence={failure.evidence} said={failure.message} />}
        <PageWarnings serverKey={card.key} warnings={card.warnings} />
        {card.reviewed || card.counts === null ? null : (
          <Callout
            meaning="attention"
            message="Nobody has reviewed its tools yet: none are exposed to packs, models, the gateway or the command line."
            action={rights.manage ? <TextLink href={`/servers/${card.key}/tools?review=1`}>Review them</TextLink> : undefined}
          />
        )}
      </div>
      <Section title="Facts">
        <KeyValueList
          items={[
            { key: 'Label', value: toVisibleText(entry.label) },
            { key: 'Reached by', value: entry.transport === 'stdio' ? toVisibleText([entry.command, ...entry.args].map(toWord).join(' ')) : toVisibleText(entry.url), mono: true },
            { key: 'Server', value: facts?.serverInfo == null ? null : toVisibleText(`${facts.serverInfo.title ?? facts.serverInfo.name} ${facts.serverInfo.version}`) },
            { key: 'Protocol', value: facts === null ? null : `${facts.era}, ${facts.protocolVersion}` },
            { key: 'Connected', value: facts === null ? null : <RelativeTime at={facts.connectedAt} /> },
            { key: 'Process', value: facts?.processId == null ? null : String(facts.processId) },
            { key: 'Calls', value: <LiveLoad serverKey={card.key} load={card.load} none="none in flight" /> },
            { key: 'Lists read', value: server.readAt === null ? null : <RelativeTime at={server.readAt} /> },
            { key: 'Tools', value: card.counts === null ? 'not read yet' : `${card.counts.exposed} exposed, ${card.counts.available} of ${card.counts.offered} available` },
            { key: 'Manifest', value: card.manifestProblem !== null ? `could not be read: ${toVisibleText(card.manifestProblem)}` : card.counts === null ? 'not read yet' : server.manifestTools === null ? 'none' : `${server.manifestTools} ${server.manifestTools === 1 ? 'tool' : 'tools'} described` },
            { key: 'Reviewed', value: server.reviewedAt === null ? (card.fromFile ? 'trusted for this command' : 'never') : <DateTime at={server.reviewedAt} /> },
            { key: 'Saved', value: card.fromFile ? 'in a file' : <DateTime at={server.savedAt} /> },
            { key: 'Environment', value: <>as it was when the console started, <DateTime at={server.environmentReadAt} /></> },
          ]}
        />
      </Section>
      {card.unavailable.length === 0 ? null : (
        <Section title="Not available on this host">
          <UnavailableTools tools={card.unavailable} />
        </Section>
      )}
      <Section title="Last test" id="last-test">
        {lastTest === null ? (
          <p className="text-muted">Not tested since it was saved.</p>
        ) : (
          <div className="flex flex-col gap-2">
            <p className="text-sm text-muted">
              <RelativeTime at={lastTest.finishedAt} />, took {formatDuration(lastTest.finishedAt - lastTest.startedAt)}
            </p>
            {lastTest.failure === null || lastTest.failure.message === failure?.message ? null : <Callout meaning="bad" message={lastTest.failure.message} remedy={lastTest.failure.remediation} />}
            <TestStages reports={lastTest.stages} running={null} progress={null} />
          </div>
        )}
      </Section>
      {facts?.instructions == null || facts.instructions === '' ? null : (
        <Section title="Instructions of the server">
          <p className="text-sm text-muted">What it tells a model, {entry.instructions === 'include' ? 'included' : 'left out'} in runs with one. Shown as it came, as text.</p>
          <CodeBlock text={facts.instructions.slice(0, 64 * 1024)} label="the server’s instructions" />
          {facts.instructions.length > 64 * 1024 ? <p className="text-sm text-muted">Cut after 64 KiB of {facts.instructions.length} characters.</p> : null}
        </Section>
      )}
    </div>
  );
}
