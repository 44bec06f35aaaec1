import { relative } from 'node:path';
import { styleText } from 'node:util';
import type { Account } from './account.ts';
import { demoFile } from './demo-file.ts';
import type { Settings } from './settings.ts';
import { quoted } from './shell.ts';

/** What people look for when the service runs, by name. */
export function placesOf(settings: Settings, account: Account | undefined): Record<string, string> {
  const { baseUrl, databaseUrl, dataDir, localUrl } = settings;
  return {
    API: baseUrl,
    Contract: `${localUrl}/openapi.json`,
    Database: databaseUrl ? 'DATABASE_URL' : `embedded PostgreSQL; data in ${pathFromHere(dataDir)}`,
    'API keys': account ? pathFromHere(demoFile(settings)) : 'none; start with --demo to create a demo account',
  };
}

/** What to try first with an account: a command for each sentence. */
export const firstCommands = ({ baseUrl }: Settings, { api_key }: Account): Record<string, string> => ({
  'List the shipments of the demo account': `curl ${baseUrl}/shipments -H ${quoted(`Authorization: Bearer ${api_key}`)}`,
});

/** What is printed when everything runs. Colours only where the terminal shows them. */
export function banner(places: Record<string, string>, commands: Record<string, string>): string {
  const width = Math.max(...Object.keys(places).map((name) => name.length)) + 3;
  const rows = Object.entries(places).map(([name, value]) => `  ${styleText('dim', name.padEnd(width))}${value}`);
  const parts = [
    styleText('bold', 'Waybill is running.'),
    rows.join('\n'),
    ...Object.entries(commands).map(([sentence, command]) => `${sentence}:\n  ${styleText('bold', command)}`),
    styleText('dim', 'Press Ctrl-C to stop. Data and keys stay for the next start.'),
  ];
  return `\n${parts.join('\n\n')}\n`;
}

/** The path relative to the folder where the user ran the command, if it is inside that folder. */
export function pathFromHere(path: string): string {
  const short = relative(process.env.INIT_CWD ?? process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
