import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect } from 'vitest';
import { compileCache } from '../fixtures/programs/process.ts';
import type { Service } from '../fixtures/service/service.ts';

export const command = new URL(import.meta.resolve('@waybill/mcp/main'));

// biome-ignore lint/suspicious/noExplicitAny: agents read any member of an answer
export type Answer = Record<string, any>;
export type Agent = Awaited<ReturnType<typeof connect>>;

/** Connects the client of the SDK. Every answer is checked for its size, and for the same data as text. */
async function connect(transport: Transport) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const ask = async (name: string, args: object = {}): Promise<Answer> => {
    const {
      structuredContent = {},
      content,
      isError = false,
    } = await client.callTool({ name, arguments: { ...args } });
    const bytes = Buffer.byteLength(JSON.stringify({ structuredContent, content, isError }));
    expect(bytes, name).toBeLessThanOrEqual(20_000);
    const [{ text = '' } = {}] = content as { text?: string }[];
    expect(JSON.parse(text)).toEqual(structuredContent);
    return { ...(structuredContent as Answer), isError, bytes };
  };
  return { client, ask, [Symbol.asyncDispose]: () => client.close() };
}

export const overHttp = ({ origin }: Pick<Service, 'origin'>, key: string): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(new URL('/mcp', origin), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }) as Transport,
  );

/** Starts `waybill-mcp` with these arguments. */
export const overStdio = ({ baseUrl }: Pick<Service, 'baseUrl'>, key: string, ...args: string[]): Promise<Agent> =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--conditions=waybill-source', fileURLToPath(command), ...args],
      env: { ...compileCache, WAYBILL_URL: baseUrl, WAYBILL_API_KEY: key },
    }),
  );
