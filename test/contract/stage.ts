import { connect, type Database } from '@waybill/server/database/connect';
import { expect, inject } from 'vitest';
import type { ContractOperation } from '../fixtures/contract.ts';
import { type PrismProxy, startProxy } from '../fixtures/prism.ts';
import { startService } from '../fixtures/service.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';
import { type Answered, type Asked, Asker } from './ask.ts';
import { Coverage } from './cells.ts';
import { powerlessRole, type Wire, wireTo } from './faulty.ts';
import { stateOf } from './state.ts';

/** Services under test, each behind a Prism of its own. They answer as they do in production, without checking themselves. */
export interface Stage extends AsyncDisposable {
  coverage: Coverage;
  asker: Asker;
  /** Where everything works. */
  good: PrismProxy;
  /** A repeated request does not wait long for the first one. */
  impatient: PrismProxy;
  /** Each key and each address has one request a minute. */
  limited: PrismProxy;
  /** Its database role has lost privileges. */
  powerless: PrismProxy;
  /** Its database is at the end of a wire. */
  wired: PrismProxy;
  wire: Wire;
  /** Where each service has its files. */
  folders: Map<PrismProxy, string>;
  /** For holding rows and reading state, on connections of its own. */
  db: Database;
}

/** Sends a request, with the account's key if it is not said otherwise; the answer is judged and counted. */
export type Ask = (asked: Asked, to?: PrismProxy) => Promise<Answered>;

/** What a scenario has: an operation, an account of its own, and the stage. */
export interface Scene {
  operation: ContractOperation;
  account: TestAccount;
  stage: Stage;
  ask: Ask;
}

export async function setUp(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  const folders: Stage['folders'] = new Map();
  const service = async (settings: Parameters<typeof startService>[0]): Promise<PrismProxy> => {
    const { baseUrl, storageFolder } = stack.use(await startService({ CHECK_RESPONSES: 'false', ...settings }));
    const proxy = stack.use(await startProxy(baseUrl));
    folders.set(proxy, storageFolder);
    return proxy;
  };
  const wire = stack.use(await wireTo(inject('databaseUrl')));
  const role = stack.use(await powerlessRole());
  const db = connect({ url: inject('databaseUrl'), poolSize: 20, prepared: false });
  stack.defer(() => db.destroy());
  const coverage = new Coverage();
  return {
    coverage,
    asker: new Asker(coverage),
    good: await service({ DATABASE_POOL_SIZE: '20' }),
    impatient: await service({ DATABASE_POOL_SIZE: '20', IDEMPOTENCY_WAIT_MS: '200' }),
    limited: await service({ RATE_LIMIT: '1' }),
    powerless: await service({ DATABASE_URL: role.url }),
    wired: await service({ DATABASE_URL: wire.url }),
    wire,
    folders,
    db,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The scene of one scenario: its account is fresh, its answers come from the service where everything works. */
export async function sceneOf(stage: Stage, operation: ContractOperation): Promise<Scene> {
  const account = await newAccount({ db: stage.db, baseUrl: stage.good.upstream });
  const key = operation.scope === null ? undefined : account.key;
  return {
    operation,
    account,
    stage,
    async ask(asked, to = stage.good) {
      const state = () => stateOf(stage.db, stage.folders.get(to) ?? '', account);
      const before = await state();
      const answered = await stage.asker.ask(to, operation, { key, ...asked });
      const { status, headers } = answered;
      const hasEffect = status < 400 && operation.method !== 'GET' && !headers.has('idempotent-replayed');
      // A write that succeeds must show in the state, or the state would show nothing of a refused one either.
      if (hasEffect) expect(await state()).not.toEqual(before);
      else
        expect(await state(), `${operation.id} ${status} ${answered.code} has changed what is stored`).toEqual(before);
      return answered;
    },
  };
}
