import { styleText } from 'node:util';
import { accessKinds } from '@waybill/http/access';
import { type Command, Option } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { createLink } from '../access/create-link.ts';
import { readConfig } from '../config.ts';
import { parseAccessExpiry, parseAccessName } from './option-values.ts';
import { type Context, print, withDatabase } from './output.ts';

/** Adds `link`. */
export function addLinkCommand(program: Command, context: Context): void {
  program
    .command('link')
    .argument('<account-id>')
    .argument('<shipment>', 'its id or its tracking number')
    .description('create a link of a page for one shipment, and show it as a QR code; it is shown only once')
    .addOption(
      new Option('--kind <kind>', 'track: the page for a consignee; drive: the page of a driver')
        .choices(accessKinds)
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'who gets the link', parseAccessName)
    .option('--expires <time>', 'when it expires, at most a year ahead (default: in 30 days)', parseAccessExpiry)
    .option('--json', 'print JSON')
    .action((accountId: string, shipment: string, { kind, name, expires, ...options }) =>
      withDatabase(context, async (db) => {
        const { origin } = new URL(readConfig(context.env, ['DATABASE_URL']).BASE_URL);
        const request = { kind, ...(name && { name }), ...(expires && { expires_at: expires.toISOString() }) };
        const access = await createLink(db, accountId, shipment, request, origin);
        const { url = '', expires_at } = access;
        const note = `Store or send the link now: it cannot be shown again. It expires at ${expires_at}.`;
        print(context, options, access, [qrCode(url), url, note].join('\n'));
      }),
    );
}

/** A QR code of a text for a terminal. Its own colors make it readable also where the background is light. */
const qrCode = (text: string): string =>
  renderUnicodeCompact(text, { border: 2 })
    .split('\n')
    .map((line) => styleText(['whiteBright', 'bgBlack'], line))
    .join('\n');
