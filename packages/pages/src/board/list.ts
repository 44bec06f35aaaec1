import { Component, h, type JSX, type TargetedEvent } from 'preact';
import type { Clock } from '../times.ts';
import { arrivalText } from './arrival.ts';
import { messages } from './messages.ts';
import { type Entry, filters, lastSeen } from './punctuality.ts';
import { maxRows, openExceptions } from './rows.ts';
import type { Actions, View } from './view.ts';

/** The filters and the shipments. */
export function list(view: View, actions: Actions): JSX.Element {
  const { board, filter, query, isCut } = view;
  const empty = query.trim() === '' ? messages.empty[filter] : messages.noMatch(query.trim());
  return h(
    'section',
    { class: 'list', 'aria-label': messages.list },
    h(
      'div',
      { class: 'filters', role: 'group', 'aria-label': messages.filterLabel },
      filters.map((name) =>
        h(
          'button',
          { type: 'button', key: name, 'aria-pressed': name === filter, onClick: () => actions.filter(name) },
          messages.filters[name],
          ' ',
          h('span', { class: 'mono' }, board?.counts[name]),
        ),
      ),
    ),
    board ? table(board.shown, view, actions) : skeleton(),
    board?.shown.length === 0 && h('p', { class: 'none' }, empty),
    h('p', { class: 'note' }, isCut && `${messages.cut(maxRows)} `, messages.times),
  );
}

function table(shown: Entry[], { clock, selected }: View, { select }: Actions): JSX.Element {
  const { number, route, status, eta, seen } = messages.columns;
  return h(
    'table',
    null,
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        [number, route, status, eta, seen].map((name) => h('th', { role: 'columnheader', scope: 'col' }, name)),
      ),
    ),
    h(
      'tbody',
      { role: 'rowgroup' },
      shown.map((entry) =>
        h(RowView, {
          key: entry.row.tracking.tracking_number,
          entry,
          clock,
          select,
          isSelected: entry.row.shipment.id === selected?.id,
        }),
      ),
    ),
  );
}

/** The form of the table, until the list has arrived. */
const skeleton = (): JSX.Element =>
  h(
    'div',
    { class: 'skeleton', 'aria-hidden': 'true' },
    Array.from({ length: 8 }, () => h('i', null)),
  );

interface RowProps {
  entry: Entry;
  clock: Clock;
  isSelected: boolean;
  select: Actions['select'];
}

/** A row is drawn again only when its shipment, the time or the selection has changed. */
class RowView extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { entry, isSelected } = this.props;
    return next.entry !== entry || next.isSelected !== isSelected;
  }

  override render({ entry, clock, isSelected, select }: RowProps): JSX.Element {
    const { row, punctuality } = entry;
    const { shipment, tracking } = row;
    const { id, origin, destination } = shipment;
    const [exception, ...more] = openExceptions(row);
    const seen = lastSeen(row);
    const words = messages.punctuality(punctuality);
    return h(
      'tr',
      {
        class: isSelected ? 'selected' : undefined,
        onClick: (event: TargetedEvent<HTMLElement, MouseEvent>) => clickedRow(event, () => select(id)),
      },
      h(
        'td',
        { role: 'cell', class: 'number' },
        h(
          'a',
          { class: 'mono', href: `#${id}`, 'aria-current': isSelected ? 'true' : undefined },
          tracking.tracking_number,
        ),
      ),
      h(
        'td',
        { role: 'cell', class: 'route' },
        messages.route(origin.city, destination.city),
        exception &&
          h('span', { class: 'exception' }, messages.exceptionsMore(messages.exceptionOf(exception.code), more.length)),
      ),
      h('td', { role: 'cell', class: 'status' }, statusOf(tracking.status)),
      h(
        'td',
        { role: 'cell', class: 'eta' },
        arrivalText(row, clock),
        words && h('small', { class: punctuality.kind }, words),
      ),
      h(
        'td',
        { role: 'cell', class: 'seen' },
        seen === undefined || entry.isDelivered ? messages.unknown : messages.seen(clock.now.getTime() - seen),
      ),
    );
  }
}

/** A click on a row selects it. One on its link does so by itself, and the selection of text selects nothing. */
function clickedRow(event: TargetedEvent<HTMLElement, MouseEvent>, select: () => void): void {
  if ((event.target as Element).closest('a') || getSelection()?.toString()) return;
  select();
}

/** A status as a dot and a word. */
export const statusOf = (status: string): JSX.Element =>
  h('span', { class: `state ${status}` }, h('i', { 'aria-hidden': 'true' }), messages.statusOf(status));
