import { dayLength } from '@waybill/contract/duration';
import type { ComponentChildren, JSX } from 'preact';
import type { Clock } from '../../text/times.ts';
import { figureDays } from '../shipments/figures.ts';
import { maxOfDay } from '../shipments/loading.ts';
import { messages } from '../texts.ts';
import type { View } from '../view.ts';
import { durationText, exceptionText, numberText, statusText } from '../words.ts';

const texts = messages.figures;

/** The three charts. */
export function charts({ figures: known, clock }: View): JSX.Element {
  if (!known)
    return (
      <section class="figures">
        <p class="none">{texts.loading}</p>
      </section>
    );
  const { figures, history, count } = known;
  return (
    <section class="figures" aria-label={messages.figuresView}>
      <p class="note">{history.isSample ? texts.sample(numberText(count), maxOfDay) : texts.all(numberText(count))}</p>
      {onTimeChart(figures.onTime, clock)}
      {barChart({
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
      })}
      {barChart({
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
      })}
    </section>
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
  return (
    <article class="card">
      <h2>{title}</h2>
      <p class="note">{note}</p>
      {rows.length === 0 ? (
        <p class="none">{empty}</p>
      ) : (
        <>
          {chart}
          <details>
            <summary>{texts.table}</summary>
            <table aria-label={title}>
              <thead>
                <tr>
                  {head.map((name) => (
                    <th scope="col">{name}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(([name, ...values]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {values.map((value) => (
                      <td>{value}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </article>
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
      <rect key={`${day}`} class="on-time" x={x} y={height - low} width={step * 0.76} height={low} />,
      late > 0 && (
        <rect key={`${day} late`} class="late" x={x} y={height - low - high} width={step * 0.76} height={high} />
      ),
    ];
  });
  const chart = (
    <>
      <svg class="columns" viewBox={`0 -22 ${width} ${height + 46}`} aria-hidden="true">
        <line x1={0} x2={width} y1={height} y2={height} />
        {columns}
        <text x={0} y={-8}>
          {most}
        </text>
        <text x={0} y={height + 18}>
          {nameOf(first)}
        </text>
        <text x={width} y={height + 18} text-anchor="end">
          {nameOf(last)}
        </text>
      </svg>
      <p class="legend" aria-hidden="true">
        <span class="on-time">{texts.columns.onTime}</span>
        <span class="late">{texts.columns.late}</span>
      </p>
    </>
  );
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
  const chart = (
    <div class={`bars ${color}`} aria-hidden="true">
      {bars.map(({ name, kind, value, part, text }) => (
        <div key={kind} class={kind}>
          <span>{name}</span>
          {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden, the table has the values */}
          <svg viewBox="0 0 100 10" preserveAspectRatio="none">
            <rect width={(value / most) * 100} height={10} />
            {part > 0 && <rect class="part" width={(part / most) * 100} height={10} />}
          </svg>
          <span class="mono">{text}</span>
        </div>
      ))}
    </div>
  );
  return card(rest, chart);
}
