import { styleText } from 'node:util';
import { dayLength } from '@waybill/contract/duration';
import type { components } from '@waybill/contract/types';
import { Problem } from '@waybill/http/problems';
import { type Command, Option } from 'commander';
import type { Kysely } from 'kysely';
import { renderUnicodeCompact } from 'uqr';
import { createAccess } from '../access/handlers.ts';
import { accessKinds } from '../access/new-access.ts';
import { AdministrationError, createKey, requireAccount } from '../auth/administration.ts';
import { keyPresets } from '../auth/keys.ts';
import { readConfig } from '../config.ts';
import { recordAudit } from '../database/audit-log.ts';
import { idPattern, uuidFromPublicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { getShipment } from '../tracking/queries.ts';
import { countParser, maxBoardDays, parseAccessExpiry, parseAccessName } from './option-values.ts';
import { type Context, print, withDatabase } from './output.ts';

type Schemas = components['schemas'];

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
        if (!options.json) context.out(`${qrCode(url)}\n`);
        print(context, options, access, `${url}\n${note}`);
      }),
    );
}

/** A QR code of a text for a terminal. Its own colors make it readable also where the background is light. */
const qrCode = (text: string): string =>
  renderUnicodeCompact(text, { border: 2 })
    .split('\n')
    .map((line) => styleText(['whiteBright', 'bgBlack'], line))
    .join('\n');

const publicShipmentId = new RegExp(`^ship_${idPattern}$`);

/**
 * Creates an access to a shipment, with a link.
 * @param shipment its id or its tracking number
 * @param origin of the service, for the link
 * @returns the only copy of the link
 * @throws {AdministrationError} when there is no such account or shipment, or it has the most accesses already
 */
function createLink(
  db: Kysely<Tables>,
  accountId: string,
  shipment: string,
  request: Pick<Schemas['AccessRequest'], 'name' | 'expires_at'> & { kind: Schemas['AccessKind'] },
  origin: string,
): Promise<Schemas['AccessWithToken']> {
  return db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    try {
      const shipmentId = publicShipmentId.test(shipment)
        ? uuidFromPublicId('ship', shipment)
        : (await getShipment(trx, accountId, { tracking_number: shipment }, ['id'])).id;
      const access = await createAccess(trx, accountId, shipmentId, request, { now: new Date(), origin });
      const { id: access_id, kind, expires_at } = access;
      await recordAudit(trx, { action: 'link', accountId, details: { access_id, shipment, kind, expires_at } });
      return access;
    } catch (error) {
      throw error instanceof Problem ? new AdministrationError(error.message) : error;
    }
  });
}

/** Adds `board`. */
export function addBoardCommand(program: Command, context: Context): void {
  program
    .command('board <account-id>')
    .description('make a link of the board of an account; it has a key that can only read')
    .option(
      '--days <number>',
      `for how many days the link is valid, at most ${maxBoardDays}`,
      countParser(maxBoardDays),
      30,
    )
    .option('--name <name>', 'purpose of the key', parseAccessName, 'board')
    .option('--json', 'print JSON')
    .action((accountId: string, { days, name, ...options }) =>
      withDatabase(context, async (db) => {
        const { BASE_URL } = readConfig(context.env, ['DATABASE_URL']);
        const expiresAt = new Date(Date.now() + days * dayLength);
        const { key, key_id, scopes, expires_at } = await createKey(db, accountId, {
          name,
          scopes: keyPresets.board,
          expiresAt,
        });
        const url = `${new URL(BASE_URL).origin}/board#${key}`;
        const text = [
          url,
          `Everyone who has the link can read all shipments of the account until ${expiresAt.toISOString()}. It cannot be shown again.`,
          `End it with: waybill keys revoke ${accountId} ${key_id}`,
        ].join('\n');
        print(context, options, { url, key_id, scopes, expires_at }, text);
      }),
    );
}
