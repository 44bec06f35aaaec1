import { type ProblemKind, problems } from '@waybill/contract/problems';
import { exampleOf, operations, problemCodes } from './contract.ts';
import { fence, json, line, operationLink, problemLink, prose, table } from './markdown.ts';

const catalogue = Object.entries<ProblemKind>(problems);

/** A row for each error code. */
export const errorTable = (): string =>
  table(
    ['Status', 'Code', 'Title'],
    catalogue.map(([code, { status, title }]) => [String(status), problemLink(code), title]),
  );

/** The named error codes with their descriptions in the contract. */
export function errorList(codes: string[]): string {
  return codes
    .map((code) => {
      const problem = catalogue.find(([name]) => name === code)?.[1];
      if (!problem) throw new Error(`The contract has no error ${code}.`);
      return `- ${problemLink(code)}: ${line(problem.description)}`;
    })
    .join('\n');
}

/** Code → page. The `type` of a problem is the URL of its page. */
export const errorPages = (): Record<string, string> =>
  Object.fromEntries(catalogue.map(([code, kind]) => [code, errorPage(code, kind)]));

function errorPage(code: string, { status, title, description, members = [] }: ProblemKind): string {
  const example = exampleOf(code);
  const places = operations.filter(({ responses }) =>
    Object.values(responses).some((response) => problemCodes(response).includes(code)),
  );
  const links = places.map(({ operationId, summary }) => `- ${operationLink(operationId)} ${summary}`);
  return [
    `# ${title}`,
    `Status \`${status}\`, code \`${code}\``,
    prose(description),
    ...(members.length > 0 ? [`The problem also has ${members.map((name) => `\`${name}\``).join(' and ')}.`] : []),
    ...(example === undefined
      ? []
      : ['## Example', fence('json', json(example), `${status} application/problem+json`)]),
    '## Operations',
    links.length > 0 ? links.join('\n') : 'Any request can return it.',
    '[All errors](/errors/)',
  ].join('\n\n');
}
