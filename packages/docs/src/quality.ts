import { readFile } from 'node:fs/promises';
import { table } from './markdown.ts';

interface Report {
  testResults: { assertionResults: { status: string; meta: { measurements?: Record<string, string> } }[] }[];
}

const measurements = new URL('../measurements/', import.meta.url);

/** Returns undefined for a file that has not been written. */
async function readMeasurements<T>(name: string): Promise<T | undefined> {
  const text = await readFile(new URL(name, measurements), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The page of what the tests measured; undefined before the first measurement. */
export async function qualityPage(): Promise<string | undefined> {
  const report = await readMeasurements<Report>('tests.json');
  const mutation = await readMeasurements<Record<string, string>>('mutation.json');
  const passed = (report?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed');
  const rows = Object.entries<unknown>(Object.assign({}, ...passed.map(({ meta }) => meta.measurements), mutation));
  if (rows.length === 0) return undefined;
  const cells = rows.map(([what, result]) => [what, String(result)]);
  return `# Quality\n\nMeasured by the tests when this site was built.\n\n${table(['What', 'Result'], cells)}`;
}
