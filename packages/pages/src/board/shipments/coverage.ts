import { numberText } from '../words.ts';
import type { Part, Snapshot } from './loading.ts';
import type { Board, Shown } from './punctuality.ts';
import { type End, ends } from './rows.ts';

/** The largest number that the service counts to. */
const maxCount = 10_000;

/** Such as "12", or "1,000+" if there may be more. */
const countText = (count: number, isAtLeast: boolean): string => `${numberText(count)}${isAtLeast ? '+' : ''}`;

/** The figures of the account, also while not all of its shipments are loaded. */
export function countTexts(
  { counts, arrivingToday, exceptions }: Board,
  { cut, totals }: Pick<Snapshot, 'cut' | 'totals'>,
): Record<Shown, string> {
  const isCut = (...parts: Part[]): boolean => parts.some((part) => cut.has(part));
  const ofAccount = (loaded: number, total: number | undefined): string =>
    total === undefined ? countText(loaded, false) : countText(Math.max(loaded, total), total >= maxCount);
  return {
    active: ofAccount(counts.active, totals?.active),
    attention: countText(counts.attention, isCut('exceptions', 'overdue', 'moving', 'assigned')),
    moving: ofAccount(counts.moving, totals?.moving),
    ...(Object.fromEntries(ends.map((end) => [end, countText(counts[end], isCut(end))])) as Record<End, string>),
    today: countText(arrivingToday, isCut('moving', 'assigned')),
    exceptions: countText(exceptions, isCut('exceptions')),
  };
}
