import { lastSeen, openExceptions } from '@waybill/contract/needs';
import { isFinal } from '@waybill/contract/statuses';
import { Component, createRef, type JSX, type TargetedEvent } from 'preact';
import { referenceFacts } from '../../text/facts.ts';
import type { Clock } from '../../text/times.ts';
import { isolated, withUserText } from '../../text/user-text.tsx';
import { countTexts } from '../shipments/coverage.ts';
import { destinationClock } from '../shipments/place-clocks.ts';
import { type Entry, filters } from '../shipments/punctuality.ts';
import { maxRows, type Row } from '../shipments/rows.ts';
import { messages } from '../texts.ts';
import type { Actions, View } from '../view.ts';
import { exceptionText, numberText, punctualityText, routeText, seenText, statusText, unknown } from '../words.ts';
import { arrivalText } from './arrival.ts';

/** The filters and the shipments. */
export function list(view: View, actions: Actions): JSX.Element {
  const { board, filter, query, snapshot, visible } = view;
  const counts = board && snapshot && countTexts(board, snapshot);
  const isFull = (snapshot?.rows.size ?? 0) >= maxRows;
  const isLoading = snapshot?.next && !isFull && !isFinal(filter) && query.trim() === '';
  const empty = query.trim() === '' ? messages.empty[filter] : messages.noMatch(isolated(query.trim()));
  return (
    <section class="list" aria-label={messages.list}>
      <div class="filters" role="group" aria-label={messages.filterLabel}>
        {filters.map((name) => (
          <button type="button" key={name} aria-pressed={name === filter} onClick={() => actions.filter(name)}>
            {messages.filters[name]} <span class="mono">{counts?.[name]}</span>
          </button>
        ))}
      </div>
      {board ? table(board.shown.slice(0, visible), view, actions) : skeleton()}
      {board?.shown.length === 0 && <p class="none">{withUserText(empty)}</p>}
      {board && (board.shown.length > visible || isLoading) && <More show={actions.more} />}
      {counts && snapshot?.totals && (
        <p class="note">
          {messages.loaded(numberText(board.counts.active), counts.active)}
          {isFull && ` ${messages.full}`}
        </p>
      )}
      <p class="note">{messages.times}</p>
    </section>
  );
}

function table(shown: Entry[], { clock, selected, query }: View, { select }: Actions): JSX.Element {
  const { number, route, status, eta, seen } = messages.columns;
  return (
    <table>
      <thead>
        <tr>
          {[number, route, status, eta, seen].map((name) => (
            <th role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {shown.map((entry) => (
          <RowView
            key={entry.row.tracking.tracking_number}
            entry={entry}
            clock={destinationClock(entry.row, clock)}
            reference={referenceText(entry.row, query)}
            select={select}
            isSelected={entry.row.shipment.id === selected?.id}
          />
        ))}
      </tbody>
    </table>
  );
}

/** The reference of the shipper, or those that the search has found, with what they are. */
function referenceText({ shipment }: Row, query: string): string {
  const wanted = query.trim().toLowerCase();
  const references = referenceFacts(shipment, messages.references);
  const found = references.filter(([, value]) => wanted !== '' && value.toLowerCase().includes(wanted));
  if (found.length > 0) return found.map((fact) => fact.join(' ')).join(', ');
  return shipment.reference === undefined ? '' : isolated(shipment.reference);
}

/** Shows more rows when it is scrolled to, or pressed. */
class More extends Component<{ show: () => void }> {
  readonly #element = createRef<HTMLButtonElement>();
  #observer: IntersectionObserver | undefined;

  override componentDidMount(): void {
    this.#observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.props.show();
    });
    this.#watch();
  }

  /** Again after each drawing: it may still be in sight. */
  override componentDidUpdate(): void {
    this.#observer?.disconnect();
    this.#watch();
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect();
  }

  override render({ show }: { show: () => void }): JSX.Element {
    return (
      <button type="button" class="more" ref={this.#element} onClick={show}>
        {messages.more}
      </button>
    );
  }

  #watch(): void {
    if (this.#element.current) this.#observer?.observe(this.#element.current);
  }
}

/** The form of the table, until the list has arrived. */
const skeleton = (): JSX.Element => (
  <div class="skeleton" aria-hidden="true">
    {Array.from({ length: 8 }, () => (
      <i />
    ))}
  </div>
);

interface RowProps {
  entry: Entry;
  clock: Clock;
  reference: string;
  isSelected: boolean;
  select: Actions['select'];
}

/** A row is drawn again only when its shipment, the time or the selection has changed. */
class RowView extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { entry, isSelected, clock, reference } = this.props;
    if (next.reference !== reference) return true;
    return next.entry !== entry || next.isSelected !== isSelected || next.clock.zone !== clock.zone;
  }

  override render({ entry, clock, reference, isSelected, select }: RowProps): JSX.Element {
    const { row, punctuality } = entry;
    const { shipment, tracking } = row;
    const { id, origin, destination } = shipment;
    const [exception, ...more] = openExceptions(tracking);
    const seen = lastSeen(tracking);
    const words = punctualityText(punctuality);
    return (
      <tr
        class={isSelected ? 'selected' : undefined}
        onClick={(event: TargetedEvent<HTMLElement, MouseEvent>) => clickedRow(event, () => select(id))}
      >
        <td role="cell" class="number">
          <a class="mono" href={`#${id}`} aria-current={isSelected ? 'true' : undefined}>
            {tracking.tracking_number}
          </a>
        </td>
        <td role="cell" class="route">
          {withUserText(routeText(origin.city, destination.city))}{' '}
          {reference && <small>{withUserText(reference)}</small>}
          {exception && (
            <span class="exception">
              {more.length > 0
                ? messages.exceptionsMore(exceptionText(exception.code), more.length)
                : exceptionText(exception.code)}
            </span>
          )}
        </td>
        <td role="cell" class="status">
          {statusOf(tracking.status)}
        </td>
        <td role="cell" class="eta">
          {arrivalText(row, clock)} {words && <small class={punctuality.kind}>{words}</small>}
        </td>
        <td role="cell" class="seen">
          {seen === undefined || entry.end ? unknown : seenText(clock.now.getTime() - seen)}
        </td>
      </tr>
    );
  }
}

/** A click on a row selects it. One on its link does so by itself, and the selection of text selects nothing. */
function clickedRow(event: TargetedEvent<HTMLElement, MouseEvent>, select: () => void): void {
  if ((event.target as Element).closest('a') || getSelection()?.toString()) return;
  select();
}

/** A status as a dot and a word. */
export const statusOf = (status: string): JSX.Element => (
  <span class={`state ${status}`}>
    <i aria-hidden="true" />
    {statusText(status)}
  </span>
);
