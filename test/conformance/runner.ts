import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What a scenario asks of a client. `path`, `query` and `body` have the names and forms of the contract. */
export type Command =
  /** `timeout` is the seconds of one attempt, `idle` those without a byte after which a stream is opened again. */
  | { do: 'connect'; url: string; key: string; timeout?: number; idle?: number }
  | {
      do: 'call';
      operation: string;
      path: Record<string, string>;
      query: Record<string, unknown>;
      body?: unknown;
      idempotency_key?: string;
    }
  /** All items of a list. */
  | { do: 'list'; operation: string; query: Record<string, unknown> }
  /** The next events of the feed. */
  | { do: 'follow'; count: number; after?: string; types?: string[] }
  /** The same of the stream. */
  | { do: 'stream'; count: number; after?: string }
  /** `file` in base64. The result is the upload id. */
  | { do: 'upload'; tracking_number: string; kind: string; content_type: string; file: string }
  /** The result is in base64. */
  | { do: 'download'; url: string }
  | { do: 'verify'; body: string; headers: Record<string, string>; secrets: string | string[] };

export interface Answer {
  /** As JSON, made from the types of the client. Members that it does not know may be missing. */
  result?: unknown;
  /** For each event: the name of its type, `raw` for one that the client does not know. The TypeScript client has none. */
  types?: string[];
  /** Of a response: `status`, and `code` and `errors` of its problem. Otherwise only its message. */
  error?: { status?: number; code?: string | null; errors?: unknown; message?: string };
}

export interface RunningClient extends AsyncDisposable {
  ask(command: Command): Promise<Answer>;
}

/** Starts the runner of a client, which answers each line of JSON with one. */
export function startRunner(command: string, args: string[]): RunningClient {
  const runner = spawn(command, args);
  let errors = '';
  runner.stderr.on('data', (text) => {
    errors += text;
  });
  const exited = new Promise<void>((resolve) => runner.once('close', () => resolve()));
  const lines = createInterface({ input: runner.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request) {
      runner.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The runner ended: ${errors}`);
      return JSON.parse(value);
    },
    async [Symbol.asyncDispose]() {
      runner.kill(); // it may wait
      await exited;
    },
  };
}

/** A path in the folder of the generated clients. */
export const clientsFolder: string = fileURLToPath(new URL('.', import.meta.resolve('@waybill/clients/package.json')));
