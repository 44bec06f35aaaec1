import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startMock } from '@waybill/mock';
import { banner, firstCommands, pathFromHere, placesOf } from '@waybill/sandbox/demo/banner';
import { checkSettings, startDemo } from '@waybill/sandbox/demo/demo';
import { requireFreePort } from '@waybill/sandbox/demo/ports';
import { writePrivateFile } from '@waybill/sandbox/demo/private-files';
import { runDemo } from '@waybill/sandbox/demo/run-demo';
import { portFrom, SettingsError, urlOf } from '@waybill/sandbox/demo/settings';
import { word } from '@waybill/sandbox/demo/shell';
import { showSimulation } from '@waybill/sandbox/demo/show-simulation';
import { buildDocs, docsDir } from './docs.ts';
import usage from './main.usage.json' with { type: 'json' };
import { tutorial } from './tutorial.ts';

await runDemo(usage, async (settings, options, signal) => {
  const { baseUrl, dataDir, databaseUrl, host, localUrl, port } = settings;
  const mockPort = portFrom(settings.env, 'MOCK_PORT', 4010);
  if (port === mockPort)
    throw new SettingsError(
      `PORT and MOCK_PORT are both ${port}. Use different ports, for example MOCK_PORT=${port + 1}`,
    );
  await checkSettings(settings);
  await requireFreePort('MOCK_PORT', mockPort, host);
  await mkdir(docsDir, { recursive: true }); // the server needs the folder, and serves files that are added later
  console.log(`Starting ${databaseUrl ? '' : 'PostgreSQL, '}the service and the mock …`);

  await using stack = new AsyncDisposableStack();
  const mock = stack.adopt(await startMock({ host, port: mockPort }), ({ close }) => close());
  const mock_url = urlOf(host, mockPort) + new URL(mock.url).pathname;
  const env = { DOCS_DIR: docsDir, ...settings.env };
  const demo = stack.use(await startDemo({ ...settings, env }, options, signal, { mock_url }));
  const { account } = demo;
  const commands: Record<string, string> = {};
  if (account) {
    const file = join(dataDir, 'demo/tutorial.sh');
    await writePrivateFile(file, await tutorial(baseUrl, account, dirname(file)));
    commands['Run the tutorial in another terminal, a shipment from creation to proof of delivery'] =
      `sh ${word(pathFromHere(file))}`;
    Object.assign(commands, firstCommands(settings, account));
  }
  const hadDocs = existsSync(join(docsDir, 'index.html'));
  const { API = '', ...others } = placesOf(settings, account);
  const places = {
    API,
    Docs: `${localUrl}/docs/${hadDocs ? '' : '  (building, ready in half a minute)'}`,
    Contract: '', // before the mock
    Mock: `${mock_url}  (returns the examples of the contract)`,
    ...others,
  };
  const docs = stack.use(buildDocs()); // last, because it takes all processors
  console.log(banner(places, commands));
  if (options.simulate && account) await showSimulation(account, demo.env, signal);
  docs.done.then((error) => {
    if (error && !signal.aborted) console.error(`The docs could not be built: ${error}`);
    else if (!error && !hadDocs) console.log('The docs are built.');
  });
  return await demo.end;
});
