import type { Fault } from '../faults.ts';
import { fromProxy, type Outcome, type RecordedRequest } from '../recorder.ts';

/** Examples of an error that are listed. */
const examples = 3;

/** What the load saw during a fault. */
export interface Observation {
  /** The requests that ran between the beginning of the fault and the recovery. */
  requests: RecordedRequest[];
  /** Milliseconds from the end of the cause to the last failed request; infinite without a recovery. */
  recovery: number;
  /** Milliseconds from the beginning of the fault to the end of its cause. */
  duration: number;
}

/** Milliseconds of a fault that must have an effect. A shorter one may fall between two requests. */
const certain = 500;

/**
 * Lists what the service must not do during a fault.
 * @param limit milliseconds in which every request ends, and in which the service recovers after the end of the cause
 */
export function violationsOf(
  { affects }: Pick<Fault, 'affects'>,
  { requests, recovery, duration }: Observation,
  limit: number,
): string[] {
  const texts = (title: string, found: RecordedRequest[]): string[] => {
    const counts = Map.groupBy(found, ({ text }) => text.replaceAll(/[\w-]{20,}|FRT-\S+(?=[/:])/g, '…'));
    const lines = [...counts].map(([text, all]) => `${title}: ${all.length} × ${text}`);
    return lines.length > examples
      ? [...lines.slice(0, examples), `${title}: ${lines.length - examples} more kinds`]
      : lines;
  };
  const failed = requests.filter(({ outcome }) => outcome === 'unavailable' || outcome === 'closed');
  const wrong = requests.filter(({ outcome }) => outcome === 'wrong');
  const needless = failed.filter((request) => !mayFail(affects, request));
  const slow = requests.filter(({ start, end }) => end - start > limit);
  return [
    ...texts('wrong response', wrong),
    ...texts('failed without need', needless),
    ...texts(`longer than ${limit} ms`, slow),
    ...(affects.length > 0 && duration >= certain && failed.length === 0
      ? ['no request failed: the fault had no effect']
      : []),
    ...(Number.isFinite(recovery) && recovery <= limit ? [] : [`recovered only after ${Math.round(recovery)} ms`]),
  ];
}

/** Without the database no server is ready, so that the proxy of a cluster refuses all requests. */
const mayFail = (affects: Fault['affects'], { needs, outcome, text }: RecordedRequest): boolean =>
  affects.some((part) => (part === 'server' ? outcome === 'closed' : needs.includes(part) || text.endsWith(fromProxy)));

/** Counts the requests of an outcome. */
export const count = (requests: RecordedRequest[], outcome: Outcome): number =>
  requests.filter((request) => request.outcome === outcome).length;
