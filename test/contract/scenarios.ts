import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import type { ProblemCode } from '@waybill/server/http/problems';
import { signedLinks } from '@waybill/server/storage/signed-urls';
import { sql } from 'kysely';
import { images, uniquePng } from '../fixtures/images.ts';
import { type declarationOf, newPosition, type Ready, ready, readyFile, tokenOf } from '../fixtures/requests.ts';
import { signingKey } from '../fixtures/service.ts';
import { inTransit, newShipment, proofFor, shipmentIn } from '../fixtures/shipments.ts';
import { allScopes, type TestAccount } from '../fixtures/test.ts';
import { holdAccount } from '../idempotency/held.ts';
import type { Answered } from './ask.ts';
import { completed } from './requests.ts';
import type { Scene } from './stage.ts';

type Scenario = (scene: Scene) => Promise<Answered>;

const keyed = (): { headers: Record<string, string> } => ({ headers: { 'idempotency-key': crypto.randomUUID() } });

/** Some body of the right kind, for what is refused before it is looked at. */
function anyBody({ operation }: Scene): Pick<Ready, 'body' | 'file'> {
  if (operation.method === 'GET') return {};
  const body = operation.body as Ready['body'];
  return body ? { body } : { file: { type: 'image/png', bytes: images['image/png']() } };
}

/** The operation's good request; in a POST's case with a key, so that it can be repeated. */
async function good({ operation, account }: Scene): Promise<Ready & { headers?: Record<string, string> }> {
  return { ...(await ready(operation.id, account)), ...(operation.method === 'POST' && keyed()) };
}

/** The same request twice: the answer, and its replay. */
async function twice({ ask }: Scene, asked: Parameters<Scene['ask']>[0]): Promise<Answered> {
  await ask(asked);
  return ask(asked);
}

/** The success of every operation: of a write also with every field that it may have, and the replay. */
export const success: Scenario = async (scene) => {
  const { bodySchema } = scene.operation;
  if (!bodySchema) return scene.ask(await good(scene));
  await scene.ask(await good(scene));
  const request = await good(scene);
  return twice(scene, { ...request, body: completed(bodySchema, request.body) as NonNullable<Ready['body']> });
};

/** Two shipments, and two positions of the one whose path values are answered. */
export async function longLists(account: TestAccount): Promise<{ shipment_id: string; tracking_number: string }> {
  const { id, tracking_number } = await shipmentIn(account, 'dispatched');
  await newShipment(account);
  const positions = [
    newPosition(),
    { ...newPosition(), address: 'Ritzville', updated_at: new Date(Date.now() - 3_600_000).toISOString() },
  ];
  await account.client.recordPositions({ path: { tracking_number }, body: { positions } });
  return { shipment_id: id, tracking_number };
}

/** A list that has another page, with all that its entries may have. */
export const page: Scenario = async ({ account, ask }) => {
  const path = await longLists(account);
  await ask({ path });
  return ask({ path, query: 'limit=1' });
};

/** A read that its reader knows already. */
export const notModified: Scenario = async (scene) => {
  const request = await good(scene);
  const { headers } = await scene.ask(request);
  return scene.ask({ ...request, headers: { 'if-none-match': headers.get('etag') ?? '' } });
};

/** An image of each type, sent and fetched: the answers of the operation that is asked about are judged. */
export const image: (type: keyof typeof images) => Scenario = (type) => async (scene) => {
  const { account, operation, ask } = scene;
  if (operation.id === 'putProofFile') return ask(await readyFile(account, images[type](), type));
  const { tracking_number } = await inTransit(account);
  const body = await proofFor(account, tracking_number);
  const file = { tracking_number, kind: 'signature', file: images[type](), content_type: type } as const;
  const signature = await account.client.uploadProofFile(file);
  const { data } = await account.client.submitProofOfDelivery({
    path: { tracking_number },
    body: { ...body, signature },
  });
  return ask({ path: { file_token: tokenOf(data.signature_url) } });
};

/** What has been done already cannot be done again: the refusal, and its replay. */
const again: Scenario = async (scene) => {
  const { headers, ...request } = await good(scene);
  await scene.ask(request);
  return twice(scene, { ...request, ...keyed() });
};

/** How each problem is really brought about, for any operation that documents it. */
export const refusals: Partial<Record<ProblemCode, Scenario>> = {
  invalid_request: async (scene) => scene.ask({ ...(await good(scene)), query: 'surprise=1' }),
  malformed_request: async ({ ask }) => ask({ file: { type: 'application/json', bytes: Uint8Array.of(0x7b, 0xff) } }),
  cursor_mismatch: async (scene) => scene.ask({ ...(await good(scene)), query: 'cursor=AAAA' }),
  unknown_upload: async (scene) => {
    const { path, body } = await ready(scene.operation.id, scene.account);
    const { signature } = scene.operation.body as { signature: string };
    return scene.ask({ path, body: { ...body, signature } });
  },
  file_mismatch: async ({ account, ask }) => {
    const { path, file } = await readyFile(account);
    return ask({ path, file: { ...file, bytes: file.bytes.with(-1, 0) } });
  },
  unauthenticated: (scene) => scene.ask({ key: undefined, ...anyBody(scene) }),
  insufficient_scope: async (scene) => {
    const others = allScopes.filter((scope) => scope !== scene.operation.scope);
    return scene.ask({ key: await scene.account.keyWith(others), ...anyBody(scene) });
  },
  not_found: async (scene) => {
    const { scope, parameters } = scene.operation;
    const nowhere = parameters.map(({ name, schema, example }) => {
      // A token that nobody has signed; else the contract's example, and a number of a year before there were any.
      const value = scope === null ? 'A'.repeat(Number(schema.maxLength)) : String(example).replace('-2026-', '-1999-');
      return [name, value];
    });
    return twice(scene, { ...(await good(scene)), path: Object.fromEntries(nowhere) });
  },
  reference_taken: async (scene) => {
    const { headers, ...request } = await good(scene);
    const taken = { ...request, body: { ...request.body, reference: 'PO-1' } };
    await scene.ask(taken);
    return twice(scene, { ...taken, ...keyed() });
  },
  invalid_transition: again,
  positions_not_accepted: async (scene) => {
    const { tracking_number } = await newShipment(scene.account);
    return twice(scene, { ...(await good(scene)), path: { tracking_number } });
  },
  uploads_not_accepted: async (scene) => {
    const { tracking_number } = await shipmentIn(scene.account, 'cancelled');
    return twice(scene, { ...(await good(scene)), path: { tracking_number } });
  },
  upload_limit_reached: async (scene) => {
    const { headers, ...request } = await good(scene);
    const { body } = request;
    const path = request.path as { tracking_number: string };
    for (let count = 0; count < 20; count++) {
      await scene.account.client.createProofUpload({ path, body: body as ReturnType<typeof declarationOf> });
    }
    return scene.ask({ ...request, ...keyed() });
  },
  storage_quota_exceeded: async (scene) => {
    await sql`insert into stored_bytes (account_id, bytes) values (${scene.account.id}, 1e13)`.execute(scene.stage.db);
    return scene.ask(await good(scene));
  },
  not_delivered: async ({ account, ask }) => {
    const { tracking_number } = await newShipment(account);
    return ask({ path: { tracking_number } });
  },
  file_conflict: async ({ account, ask }) => {
    const { path, file } = await readyFile(account);
    await ask({ path, file });
    return ask({ path, file: { ...file, bytes: uniquePng('other') } });
  },
  idempotency_in_progress: async (scene) => {
    const request = await good(scene);
    const { db, impatient } = scene.stage;
    await using held = await holdAccount(db, scene.account);
    const first = scene.ask(request, impatient);
    await held.waiting(1);
    const second = await scene.ask(request, impatient);
    await held.release();
    await first;
    return second;
  },
  link_expired: async (scene) => {
    const purpose = scene.operation.id === 'putProofFile' ? 'upload' : 'file';
    const longAgo = new Date('2020-01-01');
    const { url } = signedLinks([signingKey], '', '').sign(purpose, scene.account.id, crypto.randomUUID(), longAgo);
    return scene.ask({ path: { upload_token: tokenOf(url), file_token: tokenOf(url) }, ...anyBody(scene) });
  },
  payload_too_large: async (scene) => {
    const { file, path, ...request } = await good(scene);
    if (file) return scene.ask({ path, file: { ...file, bytes: Uint8Array.from([...file.bytes, 0]) } });
    return scene.ask({ ...request, path, body: { notes: 'x'.repeat(contract['x-max-body']) } });
  },
  unsupported_media_type: async (scene) => {
    const { body: _, ...request } = await good(scene);
    return scene.ask({ ...request, file: { type: 'text/plain', bytes: new TextEncoder().encode('{}') } });
  },
  idempotency_key_reused: async (scene) => {
    const request = await good(scene);
    await scene.ask(request);
    return scene.ask({ ...request, body: scene.operation.body as Record<string, unknown> });
  },
  rate_limited: async (scene) => {
    const first = await scene.ask(anyBody(scene), scene.stage.limited);
    // Where addresses are counted, others from here may have been before.
    return first.status === 429 ? first : scene.ask(anyBody(scene), scene.stage.limited);
  },
  internal_error: async (scene) => scene.ask(await good(scene), scene.stage.powerless),
  unavailable: async (scene) => {
    const { wire, wired } = scene.stage;
    const request = await good(scene);
    wire.mend();
    // Now the service knows the key, so that it is the operation's own query that fails.
    const known = await fetch(`${wired.upstream}/shipments`, {
      headers: { authorization: `Bearer ${scene.account.key}` },
    });
    if (!known.ok) throw new Error(`The service has not come back to its database: ${known.status}`);
    wire.cut();
    return scene.ask(request, wired);
  },
};
