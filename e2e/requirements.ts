/** What the product promises, as behaviours that tests cite with `verifies`; a test proves that each is cited. */
export const REQUIREMENTS = {
  'setup.link.once': 'The one-time set-up link makes the first admin and works once.',
  'access.closed': 'Without a sign-in no page and no route answers with data.',
  'access.roles': 'What a role may not see or do is not there, and the page says who can.',
  'servers.new.paste': 'A pasted line, URL or configuration fills the form, and the form fills it.',
  'servers.new.stages': 'A test before saving shows its stages, and its tools ticked for review.',
  'servers.failure.remedy': 'A failing server leads with what happened and what to do; mended, it is connected.',
  'servers.http': 'A Streamable HTTP server is added, tested and called, in both eras.',
  'servers.unavailable': 'A new install shows truthful unavailable tools with their remedies.',
  'servers.manage': 'A server is disabled, duplicated, edited and deleted, and every page follows.',
  'calls.form': 'A tool is called from the form that its schema makes; the result shows below it.',
  'calls.sample': 'The harmless sample of a new install is identified in two presses.',
  'calls.cancel': 'A running call is cancelled, and the server is told.',
  'calls.again': 'A call is made again with edited arguments.',
  'ledger.live': 'The ledger fills live in a second window.',
  'ledger.filters': 'Filters stand in the address and narrow the list.',
  'ledger.interrupted': 'A call cut off by a crash reads interrupted after the next start.',
  'hygiene.signals': 'No child outlives the console: SIGTERM ends all, a kill -9 is swept at the next start.',
  'input.errors': 'Bad input names the field and the mend, and nothing typed is lost.',
  'results.large': 'A 50 MB result is kept whole and shown as a preview with a download.',
  'traffic.wire': 'A server’s page shows each message that passed, both ways, its partner beside it.',
  'traffic.filter': 'The traffic is narrowed by a filter in the address, and walked by keys.',
  'traffic.live': 'The traffic follows what passes; paused, it stands still and counts what waits.',
  'traffic.copy': 'What is shown of the traffic is copied as JSON, without secrets.',
  'traffic.failed': 'A set-up that fails leaves its handshake to look at; a deleted server leaves nothing.',
  'traffic.roles': 'Traffic is for an operator and an admin; others are told who may see it.',
  'health.table': 'The health page tells of every server how it stands and stood, sorted and filtered by its address.',
  'health.act': 'Servers are tested, restarted, rested, resumed and disabled from the health page, one or many, and each answers for itself.',
  'health.check': 'A server that stops answering shows as failing by the next check, and as well again when it answers.',
  'health.roles': 'Everybody sees health; only an operator acts, and only an admin changes how servers are watched.',
  'health.probes': 'Readiness is open and says nothing of servers; metrics are for the bearer of their token.',
  'health.webhook': 'A change of state is posted to the address in the vault, which no page shows again.',
  'inbox.changes': 'Changes of state stand in the inbox of each person until they have read them, with a count in the rail.',
  'pages.accessible': 'No page has an accessibility violation, in light and in dark.',
} as const;

export type Requirement = keyof typeof REQUIREMENTS;

/** Marks a test as the proof of these behaviours; the mark stands in its title. */
export const verifies = (...ids: readonly Requirement[]): string => ids.map((id) => `[${id}]`).join(' ');
