import { createHash } from 'node:crypto';
import { type CallOptions, type Client, type Params, WaybillError } from '@waybill/client';
import { needsOf } from '@waybill/contract/needs';
import { activeStatuses } from '@waybill/contract/statuses';
import { InvalidRequest, quoted } from '@waybill/contract/validation/invalid-request';
import canonicalJson from 'safe-stable-stringify';
import { type Described, type InputSchema, operation } from './contract.ts';
import { attentionRow, eventRow, explanationOf, rowOf, shipmentOf, type Tracked } from './rows.ts';

type Options = Pick<CallOptions, 'signal'>;

/** A tool of an agent. Its arguments are valid by its schema. */
export interface Tool extends Described {
  isWrite: boolean;
  /** @throws {InvalidRequest} not_found, and the errors of the client */
  call(client: Client, args: object, options: Options): Promise<object>;
}

const tool = <Args extends object>({
  isWrite = false,
  ...definition
}: Omit<Tool, 'isWrite' | 'call'> & {
  isWrite?: boolean;
  call(client: Client, args: Args, options: Options): Promise<object>;
}): Tool => ({ ...definition, isWrite, call: definition.call as Tool['call'] });

/** Rows of a page: with the shortest texts (answers.ts) they always fit into an answer. */
const maxRows = 15;
/** Rows of each of the three groups that need attention. */
const maxOfGroup = 6;
/** Pages of shipments under way that are searched at once, and their shipments. */
const [maxPages, pageSize] = [3, 100];
/** Seconds that a call may take without the `wait` of its arguments. */
const callSeconds = 25;

/** With pages that fit into an answer. */
function paged({ inputSchema, ...texts }: Described): Described {
  const { properties } = inputSchema;
  const limit = { ...properties.limit, maximum: maxRows, default: maxRows };
  return { ...texts, inputSchema: { ...inputSchema, properties: { ...properties, limit } } };
}

type Numbered = Params<'getTracking'>;
const { description: trackingText, inputSchema: numbered } = operation('getTracking');
const { cursor = {} } = operation('listShipments').inputSchema.properties;
const onlyCursor: InputSchema = { ...numbered, properties: { cursor }, required: [] };

async function readShipment(client: Client, { tracking_number }: Numbered, options: Options): Promise<Tracked> {
  const { data } = await client.listShipments({ tracking_number, include: 'tracking' }, options);
  const [shipment] = data;
  if (!shipment) throw new InvalidRequest('not_found', `There is no shipment ${quoted(tracking_number)}.`);
  return shipment as Tracked;
}

/** What `need` of an answer means. */
const needMeanings =
  '`needs` has the reasons: `late` (by minutes against the delivery window, or without one against the estimated arrival), ' +
  '`open_exception`, `pickup_overdue` (minutes after the pickup window) and `no_position` (minutes since the last position of ' +
  'a shipment under way).';

/** All tools. Descriptions and arguments are those of the operations; only what a tool adds to them is said here. */
export const tools: Map<string, Tool> = new Map(
  Object.entries({
    find_shipments: tool({
      ...paged(operation('listShipments', 'include')),
      async call(client, args: Params<'listShipments'>, options) {
        const { data, ...page } = await client.listShipments({ limit: maxRows, ...args }, options);
        return { shipments: data.map(rowOf), ...page };
      },
    }),
    get_shipment: tool({
      title: 'Read a shipment with its tracking status',
      description: `Returns what is shipped, from where and to where, with its tracking status.\n\n${trackingText}`,
      inputSchema: numbered,
      call: async (client, args: Numbered, options) => shipmentOf(await readShipment(client, args, options)),
    }),
    explain_shipment: tool({
      title: 'Explain what is wrong with a shipment',
      description:
        'Returns why a shipment needs attention, and its open exceptions with what they mean, who has to act and what may ' +
        `happen next. Without needs and exceptions, nothing is wrong. ${needMeanings}`,
      inputSchema: numbered,
      call: async (client, args: Numbered, options) =>
        explanationOf(await readShipment(client, args, options), Date.now()),
    }),
    list_attention: tool({
      title: 'List what needs attention',
      description:
        'Returns the active shipments with an open exception, those whose pickup is overdue, and those under way that are late or ' +
        `have no recent position. ${needMeanings} \`next\` of a group is the call that returns more of it; null at its end.`,
      inputSchema: onlyCursor,
      call: listAttention,
    }),
    get_proof_of_delivery: tool({
      ...operation('getProofOfDelivery'),
      call: (client, args: Params<'getProofOfDelivery'>, options) => client.getProofOfDelivery(args, options),
    }),
    follow_changes: tool({
      ...paged(operation('listEvents')),
      async call(client, args: Params<'listEvents'>, options) {
        const attemptTimeout = ((args.wait ?? 0) + callSeconds) * 1000;
        const times = { timeout: attemptTimeout, attemptTimeout };
        const { data, ...page } = await client.listEvents({ limit: maxRows, ...args }, { ...options, ...times });
        return { events: data.map(eventRow), ...page };
      },
    }),
    raise_exception: tool({
      ...operation('raiseException', 'photos'), // an agent has no files
      isWrite: true,
      call: (client, args: Params<'raiseException'>, options) =>
        once(['raise_exception', args], (idempotencyKey) =>
          client.raiseException(args, { ...options, idempotencyKey }),
        ),
    }),
    resolve_exception: tool({
      ...operation('resolveException'),
      isWrite: true,
      call: (client, args: Params<'resolveException'>, options) =>
        once(['resolve_exception', args], (idempotencyKey) =>
          client.resolveException(args, { ...options, idempotencyKey }),
        ),
    }),
  }),
);

/** The names of those that change something. */
export const writeTools: string[] = [...tools].flatMap(([name, { isWrite }]) => (isWrite ? [name] : []));

type Query = Params<'listShipments'>;

/** @param args with a cursor, only the shipments under way after it */
async function listAttention(client: Client, { cursor }: Pick<Query, 'cursor'>, options: Options): Promise<object> {
  const now = Date.now();
  const list = async (query: Query) => {
    const page = await client.listShipments({ ...query, include: 'tracking' }, options);
    return { ...page, data: page.data as Tracked[] };
  };
  const group = async (filter: Query) => {
    const { data, next_cursor, total_count } = await list({ ...filter, limit: maxOfGroup, total_count: true });
    const next = next_cursor && { tool: 'find_shipments', arguments: { ...filter, cursor: next_cursor } };
    return { total_count, shipments: data.map((shipment) => attentionRow(shipment, now)), next };
  };
  /** No filter finds those that are late or silent, so pages are searched for them. */
  const underWay = async (max: number) => {
    const filter: Query = { status: activeStatuses.filter((status) => status !== 'scheduled') };
    const found: Tracked[] = [];
    let [searched, position] = [0, cursor];
    for (let pages = 0; pages < maxPages && found.length < max && position !== null; pages++) {
      let page = await list({ ...filter, limit: pageSize, cursor: position });
      const late = page.data.filter((shipment) => isTimely(shipment, now)).slice(0, max - found.length);
      found.push(...late);
      // The next page begins after the last one that is shown.
      const shown = found.length === max ? page.data.indexOf(late.at(-1) as Tracked) + 1 : page.data.length;
      if (shown < page.data.length) page = await list({ ...filter, limit: shown, cursor: position });
      [searched, position] = [searched + shown, page.next_cursor];
    }
    const next = position && { tool: 'list_attention', arguments: { cursor: position } };
    return { searched, shipments: found.map((shipment) => attentionRow(shipment, now)), next };
  };
  if (cursor) return { under_way: await underWay(maxRows) };
  const [open_exceptions, overdue_pickups, under_way] = await Promise.all([
    group({ status: activeStatuses, has_exception: true }),
    group({ pickup_before: new Date(now).toISOString() }),
    underWay(maxOfGroup),
  ]);
  return { open_exceptions, overdue_pickups, under_way };
}

const isTimely = (shipment: Tracked, now: number): boolean =>
  needsOf({ shipment, tracking: shipment.tracking }, now).some(
    (need) => need.kind === 'late' || need.reason === 'silent',
  );

/** Equal calls within 24 hours that are made again after refusals. */
const maxRefusals = 20;

/**
 * Sends a write with a key that its arguments determine, so that a repeated call has no second effect. A stored refusal had none:
 * the call is made anew, because the shipment may have changed.
 */
async function once<Result>(call: object, send: (idempotencyKey: string) => Promise<Result>): Promise<Result> {
  for (let refusals = 0; ; refusals++) {
    try {
      return await send(
        createHash('sha256')
          .update(canonicalJson([call, refusals]))
          .digest('hex'),
      );
    } catch (error) {
      if (!(error instanceof WaybillError && error.replayed) || refusals === maxRefusals) throw error;
    }
  }
}
