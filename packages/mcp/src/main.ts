#!/usr/bin/env node
/** The command `waybill-mcp`. Its stdout belongs to the protocol. */
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { type Client, createClient, version, WaybillError } from '@waybill/client';
import { connectServer, createServer } from './server.ts';
import { writeTools } from './tools.ts';

const usage = `Usage: waybill-mcp [options]

Gives an agent tools to use Waybill, over stdio (Model Context Protocol). It only reads, unless --write names what it may do.

  --write <tools>   tools that may change something, separated by commas: ${writeTools.join(', ')}
  --version         show the version
  --help            show this text

Environment:
  WAYBILL_API_KEY   an API key; tools need its scopes shipments:read, tracking:read and events:read, and tracking:write to write
  WAYBILL_URL       the URL of the service, with /v1 (http://localhost:3000/v1)
`;

/** Reports in one line what is wrong. */
function fail(message: string, exitCode: number): void {
  console.error(`${message.replace(/\.$/, '')}.`);
  process.exitCode = exitCode;
}

/** @throws for an unknown tool */
function writeToolsOf(list: string | undefined): string[] {
  const names = list?.split(',').map((name) => name.trim()) ?? [];
  const unknown = names.find((name) => !writeTools.includes(name));
  if (unknown !== undefined) throw new Error(`--write knows ${writeTools.join(' and ')}, not '${unknown}'`);
  return names;
}

/** The client of a key that the service accepts; undefined when it does not. Other failures may be over at the first call. */
async function connect(): Promise<Client | undefined> {
  let client: Client;
  try {
    client = createClient();
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), 1);
    return undefined;
  }
  try {
    await client.listShipments({ limit: 1 }, { timeout: 5000 });
  } catch (error) {
    if (error instanceof WaybillError && error.status === 401) {
      fail(`${error.detail.replace(/\.$/, '')}. Set WAYBILL_API_KEY to a key of the service at WAYBILL_URL`, 1);
      return undefined;
    }
    if (!(error instanceof WaybillError)) console.error(error instanceof Error ? error.message : error);
  }
  return client;
}

async function run(write: string[]): Promise<void> {
  const client = await connect();
  if (!client) return;
  const server = createServer(client, { write, onError: (error) => console.error(error) });
  await connectServer(server, new StdioServerTransport());
}

try {
  const { values } = parseArgs({
    options: { write: { type: 'string' }, version: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) console.log(usage);
  else if (values.version) console.log(version);
  else await run(writeToolsOf(values.write));
} catch (error) {
  const [sentence = ''] = `${error instanceof Error ? error.message : error}`.split(/\.?(?:\s*\n|\. )/);
  fail(`${sentence}. See waybill-mcp --help`, 2);
}
