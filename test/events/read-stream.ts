import type { Event } from '@waybill/client';
import { expect } from 'vitest';
import { type Service, startService } from '../fixtures/service/service.ts';
import { perFile, type TestAccount, test } from '../fixtures/test.ts';

/** A block of a stream: the lines until an empty one. That with an empty name is a comment. */
export type Block = Partial<Record<'id' | 'event' | 'data' | 'retry' | '', string>>;

interface StreamRequest {
  query?: string;
  lastEventId?: string | undefined;
}

/** Starts a service whose streams do not end during a test. */
export const startWithLongStreams = () => startService({ EVENT_STREAM_SECONDS: '600' });

/** Tests whose file has such a service. */
export const testWithLongStreams = test.extend<{ $file: { service: Service } }>({
  service: perFile(startWithLongStreams),
});

/** Opens a stream. Disposal disconnects. */
export async function openStream(
  { baseUrl }: { baseUrl: string },
  { key }: Pick<TestAccount, 'key'>,
  { query = '', lastEventId }: StreamRequest = {},
) {
  const controller = new AbortController();
  const response = await fetch(`${baseUrl}/events/stream?${query}`, {
    headers: { authorization: `Bearer ${key}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: controller.signal,
  });
  const blocks = response.ok ? blocksOf(response) : undefined;
  const next = async (): Promise<Block | undefined> => (await blocks?.next())?.value ?? undefined;
  return {
    response,
    /** The next block; undefined at the end of the stream. */
    next,
    /** The next events. Fails when the stream ends before. */
    async events(count: number): Promise<Event[]> {
      const events: Event[] = [];
      while (events.length < count) {
        const block = await next();
        expect(block, `the stream ended after ${events.length} of ${count} events`).toBeDefined();
        if (block?.data === undefined) continue;
        const event = JSON.parse(block.data) as Event;
        expect(block).toEqual({ id: event.id, event: event.type, data: block.data });
        events.push(event);
      }
      return events;
    },
    /** Everything until the end of the stream. */
    async rest(): Promise<Block[]> {
      const all: Block[] = [];
      for (let block = await next(); block; block = await next()) all.push(block);
      return all;
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
    },
  };
}

/** Parses a stream, apart from what the service never sends. Fails for other lines. */
async function* blocksOf({ body }: Response): AsyncGenerator<Block, undefined, undefined> {
  let text = '';
  for await (const part of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as never)) {
    text += part;
    const complete = text.split('\n\n');
    text = complete.pop() ?? '';
    for (const block of complete) {
      const lines = block.split('\n').map((line) => /^(id|event|data|retry|): (.+)$/.exec(line));
      expect(lines, block).not.toContain(null);
      yield Object.fromEntries(lines.map((match) => match?.slice(1, 3) ?? []));
    }
  }
  expect(text, 'the stream ends with a complete block').toBe('');
  return undefined;
}

/** Reads the ids of so many events after one, over as many streams as it takes. */
export async function resumeUntil(
  count: number,
  target: () => { baseUrl: string },
  account: Pick<TestAccount, 'key'>,
  lastEventId?: string,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    try {
      await using stream = await openStream(target(), account, { lastEventId });
      while (ids.length < count) {
        const block = await stream.next();
        if (!block) break;
        lastEventId = block.id ?? lastEventId;
        if (block.data) ids.push(String(block.id));
      }
    } catch {} // the service is restarting
  }
  return ids;
}
