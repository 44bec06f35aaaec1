/** Prints what the tests and the mutation tests have measured, as a table in Markdown. */
import { readFile } from 'node:fs/promises';

interface Report {
  testResults: { assertionResults: { status: string; meta: { measurements?: Record<string, string> } }[] }[];
}

const measurements = new URL('../../measurements/', import.meta.url);

/** Returns undefined for a file that has not been written. */
async function readMeasurements<T>(name: string): Promise<T | undefined> {
  const text = await readFile(new URL(name, measurements), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

const report = await readMeasurements<Report>('tests.json');
const mutation = await readMeasurements<Record<string, string>>('mutation.json');
const passed = (report?.testResults ?? [])
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status === 'passed');
const rows = Object.entries<unknown>(Object.assign({}, ...passed.map(({ meta }) => meta.measurements), mutation));
console.log('| What | Result |\n| --- | --- |');
for (const [what, result] of rows) console.log(`| ${what} | ${result} |`);
