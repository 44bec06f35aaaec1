import { dayLength } from '@waybill/contract/duration';
import { type ComponentChildren, h, type JSX } from 'preact';
import type { Clock } from '../times.ts';
import { figureDays } from './figures.ts';
import { maxOfDay } from './loading.ts';
import { messages } from './texts.ts';
import type { View } from './view.ts';
import { durationText, exceptionText, numberText, statusText } from './words.ts';

const texts = messages.figures;

/** The three charts. */
export function charts({ figures: known, clock }: View): JSX.Element {
  if (!known) return h('section', { class: 'figures' }, h('p', { class: 'none' }, texts.loading));
  const { figures, history, count } = known;
  return h(
    'section',
    { class: 'figures', 'aria-label': messages.figuresView },
    h(
      'p',
      { class: 'note' },
      history.isSample ? texts.sample(numberText(count), maxOfDay) : texts.all(numberText(count)),
    ),
    onTimeChart(figures.onTime, clock),
    barChart({
      title: texts.dwell,
      note: texts.dwellNote,
      empty: texts.dwellEmpty,
      color: 'status',
      bars: figures.dwell.map(({ status, median }) => ({
        name: statusText(status),
        kind: status,
        value: median,
        part: 0,
        text: durationText(median),
      })),
      head: [texts.columns.status, texts.columns.median, texts.columns.longest, texts.columns.count],
      rows: figures.dwell.map(({ status, median, longest, count: shipments }) => [
        statusText(status),
        durationText(median),
        durationText(longest),
        shipments,
      ]),
    }),
    barChart({
      title: texts.exceptions,
      note: texts.exceptionsNote,
      empty: texts.exceptionsEmpty,
      color: 'exceptions',
      bars: figures.exceptions.map(({ code, count: total, open }) => ({
        name: exceptionText(code),
        kind: code,
        value: total,
        part: open,
        text: String(total),
      })),
      head: [texts.columns.code, texts.columns.total, texts.columns.open],
      rows: figures.exceptions.map(({ code, count: total, open }) => [exceptionText(code), total, open]),
    }),
  );
}

interface Card {
  title: string;
  note: string;
  empty: string;
  head: string[];
  rows: (string | number)[][];
}

/** A chart, with its figures as a table. */
function card({ title, note, empty, head, rows }: Card, chart: ComponentChildren): JSX.Element {
  return h(
    'article',
    { class: 'card' },
    h('h2', null, title),
    h('p', { class: 'note' }, note),
    rows.length === 0
      ? h('p', { class: 'none' }, empty)
      : [
          chart,
          h(
            'details',
            null,
            h('summary', null, texts.table),
            h(
              'table',
              { 'aria-label': title },
              h(
                'thead',
                null,
                h(
                  'tr',
                  null,
                  head.map((name) => h('th', { scope: 'col' }, name)),
                ),
              ),
              h(
                'tbody',
                null,
                rows.map(([name, ...values]) =>
                  h(
                    'tr',
                    { key: name },
                    h('th', { scope: 'row' }, name),
                    values.map((value) => h('td', null, value)),
                  ),
                ),
              ),
            ),
          ),
        ],
  );
}

/** A column for each of the last days: what was on time below, what was late above. The empty days are shown, too. */
function onTimeChart(days: { day: number; onTime: number; late: number }[], clock: Clock): JSX.Element {
  const format = new Intl.DateTimeFormat(clock.locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const nameOf = (day: number): string => format.format(day * dayLength);
  const [width, height] = [600, 150];
  const last = days.at(-1)?.day ?? 0;
  const first = Math.min(last - 6, days[0]?.day ?? 0);
  const most = Math.max(1, ...days.map(({ onTime, late }) => onTime + late));
  const step = width / Math.min(last - first + 1, figureDays + 1);
  const columns = days.map(({ day, onTime, late }) => {
    const x = (day - first) * step + step * 0.12;
    const [low, high] = [(onTime / most) * height, (late / most) * height];
    return [
      h('rect', { key: `${day}`, class: 'on-time', x, y: height - low, width: step * 0.76, height: low }),
      late > 0 &&
        h('rect', { key: `${day} late`, class: 'late', x, y: height - low - high, width: step * 0.76, height: high }),
    ];
  });
  const chart = [
    h(
      'svg',
      { class: 'columns', viewBox: `0 -22 ${width} ${height + 46}`, 'aria-hidden': 'true' },
      h('line', { x1: 0, x2: width, y1: height, y2: height }),
      columns,
      h('text', { x: 0, y: -8 }, most),
      h('text', { x: 0, y: height + 18 }, nameOf(first)),
      h('text', { x: width, y: height + 18, 'text-anchor': 'end' }, nameOf(last)),
    ),
    h(
      'p',
      { class: 'legend', 'aria-hidden': 'true' },
      h('span', { class: 'on-time' }, texts.columns.onTime),
      h('span', { class: 'late' }, texts.columns.late),
    ),
  ];
  const { day, onTime, late } = texts.columns;
  return card(
    {
      title: texts.onTime,
      note: texts.onTimeNote,
      empty: texts.onTimeEmpty,
      head: [day, onTime, late],
      rows: days.map((each) => [nameOf(each.day), each.onTime, each.late]),
    },
    chart,
  );
}

interface Bars extends Card {
  /** `part` of the value is drawn darker. */
  bars: { name: string; kind: string; value: number; part: number; text: string }[];
  color: string;
}

/** A row for each value. */
function barChart({ bars, color, ...rest }: Bars): JSX.Element {
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const chart = h(
    'div',
    { class: `bars ${color}`, 'aria-hidden': 'true' },
    bars.map(({ name, kind, value, part, text }) =>
      h(
        'div',
        { key: kind, class: kind },
        h('span', null, name),
        h(
          'svg',
          { viewBox: '0 0 100 10', preserveAspectRatio: 'none' },
          h('rect', { width: (value / most) * 100, height: 10 }),
          part > 0 && h('rect', { class: 'part', width: (part / most) * 100, height: 10 }),
        ),
        h('span', { class: 'mono' }, text),
      ),
    ),
  );
  return card(rest, chart);
}
