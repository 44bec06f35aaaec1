// Which file may import which. `lint` runs it. Type imports count.
const server = '^packages/server/src/';
const workspace = '^(spec|packages/[^/]+|tools|test)/';

/** Server folder or file → the others that it may import. app.ts, features.ts and cli/ may import all of them. */
const serverLayers = {
  feature: ['auth', 'database', 'event-feed', 'operations', 'storage'],
  concurrency: [],
  connections: [],
  database: ['concurrency'],
  'rate-limit': ['concurrency'],
  storage: [],
  auth: ['database', 'concurrency', 'rate-limit', 'feature'],
  'event-feed': ['database', 'concurrency'],
  operations: ['connections', 'database', 'concurrency', 'auth', 'rate-limit', 'event-feed', 'feature'],
  tracking: ['auth', 'database', 'event-feed', 'feature', 'operations'],
  shipments: ['auth', 'concurrency', 'database', 'event-feed', 'feature', 'operations', 'storage', 'tracking'],
  access: ['auth', 'database', 'feature', 'operations', 'proof', 'shipments', 'tracking'],
  proof: ['auth', 'concurrency', 'database', 'feature', 'storage', 'operations', 'tracking'],
  exceptions: ['auth', 'database', 'feature', 'operations', 'tracking', 'proof'],
  documents: ['auth', 'database', 'feature', 'operations', 'tracking', 'proof'],
  events: ['auth', 'database', 'event-feed', 'feature', 'operations'],
  webhooks: ['concurrency', 'database', 'event-feed', 'feature', 'operations', 'events'],
  mcp: ['auth', 'connections', 'operations'],
  'page-routes': [
    ...['connections', 'concurrency', 'database', 'auth', 'event-feed', 'operations', 'rate-limit'],
    ...['tracking', 'exceptions', 'events'],
  ],
  jobs: ['concurrency', 'database', 'feature', 'features', 'storage'],
  config: ['connections', 'database', 'concurrency', 'features', 'rate-limit', 'storage', 'webhooks'],
  telemetry: ['connections', 'database', 'concurrency', 'rate-limit', 'jobs', 'config', 'webhooks'],
};

/** What any other folder of the server may import. */
const otherLayers = ['auth', 'database', 'feature', 'operations', 'tracking'];

/** Library → the only folder or file of the server that imports it. */
const libraryHomes = {
  '@aws-sdk/client-s3': 'storage',
  '@fastify/under-pressure': 'operations',
  commander: 'cli',
  '@opentelemetry/api': 'telemetry',
  '@opentelemetry/sdk-trace': 'telemetry',
  ioredis: 'rate-limit',
  'ipaddr.js': 'connections|webhooks',
  pg: 'database',
  'prom-client': 'telemetry',
  'rate-limiter-flexible': 'rate-limit',
  'sonic-boom': 'cli',
};

/** Matches the files of these server folders or files. */
const inServer = (...names) => `${server}(${names.join('|')})(/|[.]ts$)`;

const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from,
  to,
});

export default {
  forbidden: [
    forbid('no-cycle', 'Move what both files need to a third file.', {}, { circular: true }),
    forbid(
      'no-missing-module',
      'The module does not exist, or package.json does not declare its package.',
      {},
      { couldNotResolve: true, pathNot: '^[.]/hey-api/' }, // the client that another generator makes during the tests
    ),
    forbid(
      'no-undeclared-package',
      'Add the package to package.json.',
      { pathNot: '^test/contract/foreign-generators/' }, // a package inside test/, which uses the packages of test/ as well
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    forbid(
      'no-development-package',
      '`start` does not install devDependencies. Add the package to dependencies.',
      {
        path: '^(packages/|tools/start/)',
        pathNot: '/samples/|([.]test|tsdown[.]config|/(generate|client-types|inventories|msw))[.]ts$',
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'no-generic-names',
      'Name the file or folder after its one purpose.',
      { path: '^packages/.*/(utils?|helpers?|common|shared|misc|lib)(/|[.]ts$)' },
      {},
    ),

    // spec → contract → client → sandbox → tools; contract → http → mock; contract, client → pages, docs, mcp;
    // http, pages, mcp → server → sandbox; all → test
    forbid('spec-first', 'The spec imports no package.', { path: '^spec/' }, { path: '^(packages|tools|test)/' }),
    forbid(
      'contract-after-spec',
      'The contract imports only the spec.',
      { path: '^packages/contract/' },
      { path: '^(packages/(?!contract/)|tools/|test/)' },
    ),
    forbid(
      'packages-after-contract',
      'Packages share the contract, and the server and the mock share the HTTP layer.',
      // The page of drivers and the board use the API as a user's page does.
      {
        path: '^packages/(?!contract/|sandbox/)([^/]+)/',
        pathNot: '^packages/(docs/samples/|mcp/|pages/src/(driver|board)/|server/src/mcp/)',
      },
      { path: workspace, pathNot: '^packages/($1|contract|http|pages)/' },
    ),
    forbid(
      'mcp-after-client',
      'The tools of agents use the API as a user does.',
      { path: '^packages/mcp/' },
      { path: workspace, pathNot: '^packages/(mcp|contract|client)/' },
    ),
    forbid(
      'server-mcp-after-mcp',
      'Only this folder of the server has the tools of agents, and the client.',
      { path: '^packages/server/src/mcp/' },
      { path: workspace, pathNot: '^packages/(server|contract|http|client|mcp)/' },
    ),
    forbid(
      'sandbox-after-server',
      'The sandbox runs the server and uses the client.',
      { path: '^packages/sandbox/' },
      { path: workspace, pathNot: '^packages/(sandbox|contract|client|server)/' },
    ),
    forbid(
      'pages-for-server',
      'Only the server serves the pages, which know only the contract and the client.',
      { path: '^packages/(?!pages/|server/)' },
      { path: '^packages/pages/' },
    ),
    forbid(
      'http-for-servers',
      'Only the server and the mock serve the contract.',
      { path: '^packages/(client|docs|pages)/' },
      { path: '^packages/http/' },
    ),
    forbid(
      'samples-use-client',
      'A sample is a program of a user, who has only the client.',
      { path: '^packages/docs/samples/' },
      { path: workspace, pathNot: '^packages/(docs/samples|client)/' },
    ),
    forbid(
      'tools-use-client',
      'Tools import only the contract, the client and the sandbox; `start` runs the mock, too.',
      { path: '^tools/' },
      {
        path: workspace,
        pathNot: '^(tools|packages/contract|packages/client|packages/sandbox)/|^packages/mock/src/mock[.]ts$',
      },
    ),
    forbid(
      'packages-by-name',
      'Import another package by its name.',
      { path: workspace },
      // A published package does not export what makes its types.
      { path: workspace, pathNot: '^$1/|^packages/client/generate/', dependencyTypes: ['local'] },
    ),

    ...Object.entries(serverLayers).map(([layer, others]) =>
      forbid(
        `server-${layer}`,
        `See serverLayers in .dependency-cruiser.mjs.`,
        { path: inServer(layer) },
        { path: server, pathNot: inServer(layer, ...others) },
      ),
    ),
    forbid(
      'server-other-folder',
      'A folder without a line of its own in serverLayers of .dependency-cruiser.mjs, such as a new feature, imports only these.',
      { path: `${server}([^/]+)/`, pathNot: inServer(...Object.keys(serverLayers), 'cli') },
      { path: server, pathNot: inServer('$1', ...otherLayers) },
    ),
    forbid(
      'server-folder-for-each-file',
      'Move the file to the folder of its purpose, or add it to serverLayers in .dependency-cruiser.mjs.',
      { path: `${server}[^/]+[.]ts$`, pathNot: inServer(...Object.keys(serverLayers), 'app', 'features', 'main') },
      {},
    ),
    forbid(
      'server-entry-last',
      'Only the entry point imports the commands.',
      { path: server, pathNot: inServer('main', 'cli') },
      { path: inServer('main', 'cli') },
    ),
    forbid(
      'server-contract-document',
      'Only packages/http reads the document. Generate a table, or export a function of packages/http.',
      { path: server },
      { path: '^packages/contract/generated/openapi[.]json$' },
    ),
    ...Object.entries(libraryHomes).map(([library, home]) =>
      forbid(
        `server-${library}-in-${home}`,
        `Only ${home} imports ${library}.`,
        { path: server, pathNot: inServer(home) },
        { path: `node_modules/${library}/` },
      ),
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/generated/'] },
    // A build of the docs, which may run meanwhile, has a temporary file.
    exclude: { path: ['^packages/[^/]+/dist/', '[.]timestamp-'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['waybill-source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
