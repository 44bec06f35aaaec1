import { relative } from 'node:path';
import { styleText } from 'node:util';
import { type DemoAccount, demoFile } from './demo-account.ts';
import type { Settings } from './settings.ts';
import { quoted, word } from './shell.ts';

/** What `start` prints when everything runs. Colours only where the terminal shows them. */
export function banner(
  settings: Settings,
  account: DemoAccount | undefined,
  tutorialFile: string,
  hasDocs: boolean,
): string {
  const { baseUrl, databaseUrl, dataDir, localUrl, mockUrl } = settings;
  const docs = `${localUrl}/docs/`;
  const parts = [
    styleText('bold', 'Waybill is running.'),
    table({
      API: baseUrl,
      Docs: hasDocs ? docs : `${docs}  (building, ready in half a minute)`,
      Contract: `${localUrl}/openapi.json`,
      Mock: `${mockUrl}  (returns the examples of the contract)`,
      Database: databaseUrl ? 'DATABASE_URL' : `embedded PostgreSQL; data in ${pathFromHere(dataDir)}`,
      'API keys': account ? pathFromHere(demoFile(settings)) : 'none; start with --demo to create a demo account',
    }),
  ];
  if (account) {
    parts.push(
      `Run the tutorial in another terminal, a shipment from creation to proof of delivery:\n${command(`sh ${word(pathFromHere(tutorialFile))}`)}`,
      `List the shipments of the demo account:\n${command(`curl ${baseUrl}/shipments -H ${quoted(`Authorization: Bearer ${account.api_key}`)}`)}`,
    );
  }
  parts.push(styleText('dim', 'Press Ctrl-C to stop. Data and keys stay for the next start.'));
  return `\n${parts.join('\n\n')}\n`;
}

const command = (text: string): string => `  ${styleText('bold', text)}`;

function table(rows: Record<string, string>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 3;
  return Object.entries(rows)
    .map(([name, value]) => `  ${styleText('dim', name.padEnd(width))}${value}`)
    .join('\n');
}

/** The path relative to the folder where the user ran the command, if it is inside that folder. */
function pathFromHere(path: string): string {
  const short = relative(process.env.INIT_CWD ?? process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
