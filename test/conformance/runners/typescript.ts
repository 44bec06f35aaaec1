import { createClient, UnexpectedResponseError, WaybillClientError, WaybillError } from '@waybill/client';
import { verifyWebhook, WebhookVerificationError } from '@waybill/client/webhooks';
import type { Answer, Command, RunningClient } from '../runner.ts';
import type { ConformanceClient } from './client.ts';

type Client = ReturnType<typeof createClient>;
type Method = (params: object, options: object) => Promise<unknown> & { toArray(limit: object): Promise<unknown[]> };

/** What is its own, such as its types and hooks, has tests in test/client. */
export const typescript: ConformanceClient = { start, hasTypes: false };

/** Runs the commands in this process. */
async function start(): Promise<RunningClient> {
  let client: Client;
  const method = (operation: string) => client[operation as 'listShipments'] as unknown as Method;
  async function run(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'connect':
        client = createClient({
          baseUrl: command.url,
          apiKey: () => command.key,
          ...(command.timeout && { attemptTimeout: command.timeout * 1000 }),
          ...(command.idle && { idleTimeout: command.idle * 1000 }),
        });
        return;
      case 'call': {
        const { operation, path, query, body, idempotency_key: idempotencyKey } = command;
        return method(operation)(
          { ...path, ...query, ...(body as object) },
          { ...(idempotencyKey && { idempotencyKey }) },
        );
      }
      case 'list':
        return method(command.operation)(command.query, {}).toArray({ limit: 1_000 });
      case 'stream':
      case 'follow': {
        const params = { after: command.after };
        const events =
          command.do === 'stream'
            ? client.streamEvents(params)
            : client.followEvents({ ...params, wait: 1, types: command.types as [] | undefined });
        const seen: unknown[] = [];
        for await (const event of events) if (seen.push(event) === command.count) break;
        return seen;
      }
      case 'upload': {
        const { tracking_number, kind, content_type, file } = command;
        return client.uploadProofFile({
          tracking_number,
          kind,
          content_type,
          file: Buffer.from(file, 'base64'),
        } as never);
      }
      case 'download':
        return Buffer.from(await (await client.getProofFile({ url: command.url })).arrayBuffer()).toString('base64');
      case 'verify':
        return verifyWebhook(command.body, command.headers, command.secrets);
    }
  }
  const answer = async (command: Command): Promise<Answer> => {
    try {
      return { result: await run(command) };
    } catch (error) {
      if (error instanceof WaybillError) return { error: { ...error.problem, status: error.status } };
      if (error instanceof UnexpectedResponseError) return { error: { status: error.status } };
      // A TypeError is an invalid argument.
      if (
        error instanceof WaybillClientError ||
        error instanceof WebhookVerificationError ||
        error instanceof TypeError
      )
        return { error: { message: error.message } };
      throw error;
    }
  };
  return { ask: answer, [Symbol.asyncDispose]: async () => {} };
}
