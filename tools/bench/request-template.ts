import { randomUUID } from 'node:crypto';

/**
 * Requests that differ. In path and headers, `@value` stands for the next of `values` and `@key` for a unique key; in the
 * body, `@time` stands for the last full second, without fraction and offset. wrk.lua fills them in, too.
 */
export interface RequestTemplate {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  values: string[];
}

/** The requests of a template, from a random value on, without an end. */
export function* requestsOf({
  values,
  body,
  ...head
}: RequestTemplate): Generator<Omit<RequestTemplate, 'values'>, never> {
  const run = randomUUID();
  const text = JSON.stringify(head);
  for (let count = Math.floor(Math.random() * values.length); ; count++) {
    const filled = text.replace('@value', values[count % values.length] ?? '').replace('@key', `${run}-${count}`);
    const time = new Date(Date.now() - 1000).toISOString().slice(0, 19);
    yield { ...JSON.parse(filled), ...(body && { body: body.replaceAll('@time', time) }) };
  }
}
