/** The import rules of the house (docs/architecture.md), as errors. */
const TESTS = '\\.test\\.tsx?$|/testing\\.tsx?$|^e2e/|^bench/|^scripts/';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$', '\\.config\\.(ts|mjs|cjs)$', '^proxy\\.ts$', '^instrumentation\\.ts$', '^app/', '^e2e/', '^scripts/', '^bench/',
          '\\.worker\\.ts$', '\\.test\\.tsx?$', '^kit/', '^lib/core/', '^\\.dependency-cruiser\\.cjs$', '^db/testing\\.ts$',
        ],
      },
      to: {},
    },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(server-only|cloudflare:)' } },
    {
      name: 'core-stands-alone',
      severity: 'error',
      from: { path: '^lib/core/', pathNot: TESTS },
      to: { path: '^(app|components|db|kit|lib/(?!core/))' },
    },
    {
      name: 'browser-safe-domain',
      comment: 'A domain outside its node/ folder may run in the browser: no Node modules, no database, no node/.',
      severity: 'error',
      from: { path: '^lib/(?!cli/)[^/]+/(?!node/)', pathNot: TESTS },
      to: { path: ['^lib/[^/]+/node/', '^db/', '^app/', '^components/', '^lib/(env|log|boot)'] },
    },
    {
      name: 'browser-safe-no-node-core',
      severity: 'error',
      from: { path: '^(lib/(?!cli/)[^/]+/(?!node/)|components/)', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'domain-by-its-index',
      comment: 'From outside, a domain is entered by index.ts, node/index.ts or client/index.ts.',
      severity: 'error',
      from: { path: '^lib/([^/]+)/', pathNot: TESTS },
      to: { path: '^lib/([^/]+)/', pathNot: ['^lib/$1/', '^lib/[^/]+/(node/|client/)?index\\.ts$'] },
    },
    {
      name: 'domain-by-its-index-from-elsewhere',
      severity: 'error',
      from: { path: '^(app|components|kit|instrumentation|proxy)', pathNot: TESTS },
      to: { path: '^lib/[^/]+/', pathNot: ['^lib/[^/]+/(node/|client/)?index\\.ts$'] },
    },
    {
      name: 'components-know-no-server',
      severity: 'error',
      from: { path: '^components/', pathNot: TESTS },
      to: { path: ['^lib/[^/]+/node/', '^db/', '^lib/(env|log|boot)'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'components-know-no-app',
      comment: 'Components get actions as props; only their types may be imported.',
      severity: 'error',
      from: { path: '^components/', pathNot: TESTS },
      to: { path: '^app/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'primitives-know-no-domain',
      severity: 'error',
      from: { path: '^components/(ui|json|filters)/', pathNot: TESTS },
      to: { path: ['^lib/(?!core/)', '^components/(?!ui/|json/|filters/)'] },
    },
    {
      name: 'app-not-db',
      severity: 'error',
      from: { path: '^(app|components)/', pathNot: TESTS },
      to: { path: '^db/' },
    },
    {
      name: 'kit-stands-on-core',
      severity: 'error',
      from: { path: '^kit/', pathNot: TESTS },
      to: { path: '^(app|components|db|lib/(?!core/))' },
    },
    {
      name: 'db-knows-types-only',
      severity: 'error',
      from: { path: '^db/', pathNot: TESTS },
      to: { path: ['^(app|components|kit)/', '^lib/[^/]+/node/'] },
    },
    {
      name: 'sdk-in-its-places',
      severity: 'error',
      from: { path: '^(app|components|lib|db)/', pathNot: [TESTS, '^lib/pool/node/', '^lib/gateway/node/'] },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'only-the-call-path-leases-for-calls',
      comment: 'callTool of a connection is reached through lib/calls/node alone; see also the lint of the ledger.',
      severity: 'error',
      from: { path: '^(app|components)/', pathNot: TESTS },
      to: { path: '^lib/pool/node/(connection|transports)' },
    },
    {
      name: 'no-dev-packages-at-run-time',
      severity: 'error',
      from: { path: '^(app|components|lib|db|kit|proxy|instrumentation)', pathNot: [TESTS, '[/-]testing\\.ts$', '/testing-[a-z]+\\.ts$'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.next|dist|node_modules/\\.cache)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
