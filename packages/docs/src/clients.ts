import results from './client-results.json' with { type: 'json' };
import { table } from './markdown.ts';

const clients = { typescript: 'TypeScript', python: 'Python', java: 'Java', go: 'Go', php: 'PHP' };
const ofOperations = / returns what the service sent$/;

/** What each client did in every scenario of the conformance suite when it ran last. */
export function clientTable(): string {
  const [operations, scenarios] = [true, false].map((isOperation) =>
    Object.entries(results).filter(([title]) => ofOperations.test(title) === isOperation),
  ) as [[string, string[]][], [string, string[]][]];
  const names = Object.keys(clients);
  const rows = scenarios.map(([title, passed]) => [
    upper(title),
    ...names.map((name) => (passed.includes(name) ? '✓' : '✗')),
  ]);
  const counts = names.map(
    (name) => `${operations.filter(([, passed]) => passed.includes(name)).length} of ${operations.length}`,
  );
  return table(['', ...Object.values(clients)], [...rows, ['Operations that return what the service sent', ...counts]]);
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
