import { readFile } from 'node:fs/promises';
import { html } from './html.ts';
import { measurements, page } from './page.ts';

interface Report {
  testResults: { assertionResults: { status: string; meta: { measurements?: Record<string, string> } }[] }[];
}

/** Returns undefined for a file that has not been written. */
async function readMeasurements<T>(name: string): Promise<T | undefined> {
  const text = await readFile(new URL(name, measurements), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The page of what the tests measured, by its name. Empty before the first measurement. */
export async function qualityPages(): Promise<Record<string, string>> {
  const report = await readMeasurements<Report>('tests.json');
  const mutation = await readMeasurements<Record<string, string>>('mutation.json');
  const passed = (report?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed');
  const rows = Object.entries(Object.assign({}, ...passed.map(({ meta }) => meta.measurements), mutation));
  if (rows.length === 0) return {};
  const content = html`<h1>Quality</h1>
<p>Measured by the tests when this site was built.</p>
<table>
<thead><tr><th>What</th><th>Result</th></tr></thead>
<tbody>
${rows.map(([what, result]) => html`<tr><td>${what}</td><td>${String(result)}</td></tr>\n`)}</tbody>
</table>`;
  return { 'quality.html': page({ title: 'Quality – Waybill', section: 'Quality', root: '' }, content) };
}
