import type { Fault } from './faults.ts';
import type { Outcome, RecordedRequest } from './recorder.ts';

/** Milliseconds in which every request ends, and in which the service recovers after the end of the cause. */
const limit = 5000;
/** Examples of an error that are listed. */
const examples = 3;

/** What the load saw during a fault. */
export interface Observation {
  /** The requests that ran between the beginning of the fault and the recovery. */
  requests: RecordedRequest[];
  /** Milliseconds from the end of the cause to the last failed request; undefined without a recovery. */
  recovery: number | undefined;
}

/** Lists what the service must not do during a fault. */
export function violationsOf(fault: Pick<Fault, 'affects'>, { requests, recovery }: Observation): string[] {
  const texts = (title: string, found: RecordedRequest[]): string[] => {
    const counts = Map.groupBy(found, ({ text }) => text.replaceAll(/[\w-]{20,}|FRT-\S+(?=[/:])/g, '…'));
    const lines = [...counts].map(([text, all]) => `${title}: ${all.length} × ${text}`);
    return lines.length > examples
      ? [...lines.slice(0, examples), `${title}: ${lines.length - examples} more kinds`]
      : lines;
  };
  const failed = requests.filter(({ outcome }) => outcome === 'unavailable' || outcome === 'closed');
  const slow = requests.filter(({ start, end }) => end - start > limit);
  return [
    ...texts(
      'wrong response',
      requests.filter(({ outcome }) => outcome === 'wrong'),
    ),
    ...texts(
      'failed without need',
      failed.filter((request) => !mayFail(fault.affects, request)),
    ),
    ...texts(`longer than ${limit} ms`, slow),
    ...(fault.affects !== 'nothing' && failed.length === 0 ? ['the fault had no effect: no request failed'] : []),
    ...(recovery === undefined ? ['no recovery'] : []),
    ...(recovery !== undefined && recovery > limit ? [`recovered only after ${Math.round(recovery)} ms`] : []),
  ];
}

function mayFail(affects: Fault['affects'], { needs, outcome }: RecordedRequest): boolean {
  if (affects === 'nothing') return false;
  if (affects === 'server') return outcome === 'closed';
  return needs.includes(affects);
}

/** Counts the requests of an outcome. */
export const count = (requests: RecordedRequest[], outcome: Outcome): number =>
  requests.filter((request) => request.outcome === outcome).length;
