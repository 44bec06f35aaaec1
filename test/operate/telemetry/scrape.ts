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

/** Requests and parses the metrics of a service. */
export async function samples(port: string): Promise<Samples> {
  const lines = (await scrape(port)).matchAll(/^([^#].*) (\S+)$/gm);
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

/** The samples of a metric that have changed, by how much, with their labels. */
export function increases(before: Samples, after: Samples, metric: string): Record<string, number> {
  const own = [...after].filter(([name, value]) => name.startsWith(`${metric}{`) && value !== (before.get(name) ?? 0));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(metric.length), value - (before.get(name) ?? 0)]));
}
