import results from './client-results.json' with { type: 'json' };
import { table } from './markdown.ts';

const clients = { typescript: 'TypeScript', python: 'Python', java: 'Java', go: 'Go', php: 'PHP' };
const ofOperations = / returns what the service sent$/;

/** What each client did in every scenario of the conformance suite when it ran last. */
export function clientTable(): string {
  const names = Object.keys(clients);
  const all: [title: string, passed: string[]][] = Object.entries(results);
  const operations = all.filter(([title]) => ofOperations.test(title));
  const rows = all
    .filter((each) => !operations.includes(each))
    .map(([title, passed]) => [upper(title), ...names.map((name) => (passed.includes(name) ? '✓' : '✗'))]);
  const counts = names.map((name) => {
    return `${operations.filter(([, passed]) => passed.includes(name)).length} of ${operations.length}`;
  });
  return table(
    ['Scenario', ...Object.values(clients)],
    [...rows, ['Operations that return what the service sent', ...counts]],
  );
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
