import { expect } from 'vitest';

/** The samples of a scrape, by name and labels as they are written: `x_total{operation="getTracking"}`. */
export type Samples = Map<string, number>;

/** Requests the metrics of a service. @param port its METRICS_PORT */
export async function scrape(port: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** Parses the text format of Prometheus. */
export function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Requests and parses the metrics of a service. */
export const samples = async (port: string): Promise<Samples> => samplesOf(await scrape(port));

/** The samples that have changed, by how much, of metrics whose names begin with `prefix`. */
export function increases(before: Samples, after: Samples, prefix: string): Record<string, number> {
  const changed = [...after]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]): [string, number] => [name, value - (before.get(name) ?? 0)]);
  return Object.fromEntries(changed.filter(([, difference]) => difference !== 0));
}
