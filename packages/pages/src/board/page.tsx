import type { JSX, TargetedEvent } from 'preact';
import { languageLinks } from '../frame/language-links.tsx';
import { mark } from '../frame/mark.tsx';
import { shownConnection } from '../link/connection.ts';
import { isolated, withUserText } from '../text/user-text.tsx';
import { charts } from './parts/charts.tsx';
import { details } from './parts/details.tsx';
import { list } from './parts/list.tsx';
import { BoardMap } from './parts/map.tsx';
import { countTexts } from './shipments/coverage.ts';
import { onTimeShare } from './shipments/figures.ts';
import type { Shown } from './shipments/punctuality.ts';
import { language, messages } from './texts.ts';
import type { Actions, View } from './view.ts';
import { unknown } from './words.ts';

/** The whole page. */
export function BoardPage({ view, actions }: { view: View; actions: Actions }): JSX.Element {
  if (view.closed) return closed(view.closed);
  return (
    <div class={view.selected ? 'page open' : 'page'}>
      {header(view, actions)}
      {keyFigures(view, actions)}
      {view.screen === 'figures' ? (
        <main>{charts(view)}</main>
      ) : (
        <main class="split">
          {list(view, actions)}
          <div class="side">
            {view.board && <BoardMap active={view.board.active} selected={view.selected} select={actions.select} />}
            {view.selected && details(view, view.selected, actions)}
          </div>
        </main>
      )}
      {languageLinks(language, messages.languages)}
    </div>
  );
}

function header({ query, screen, notFound, ...view }: View, { search, look, open }: Actions): JSX.Element {
  const onInput = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => search(currentTarget.value);
  const onSubmit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    look();
  };
  const tab = (name: View['screen'], text: string) => (
    <button type="button" aria-pressed={name === screen} onClick={() => open(name)}>
      {text}
    </button>
  );
  const connection = shownConnection(view.connection);
  return (
    <header>
      {mark()}
      <h1>{messages.title}</h1>
      <span class={`connection ${connection}`} role="status">
        {messages.connections[connection]}
      </span>
      <div class="tabs">
        {tab('shipments', messages.shipmentsView)}
        {tab('figures', messages.figuresView)}
      </div>
      <form role="search" onSubmit={onSubmit}>
        <input
          type="search"
          value={query}
          onInput={onInput}
          maxLength={100}
          autocomplete="off"
          placeholder={`${messages.search}  /`}
          aria-label={messages.search}
          title={messages.searchHelp}
        />
        {notFound !== undefined && <p role="alert">{withUserText(messages.notFound(isolated(notFound)))}</p>}
      </form>
    </header>
  );
}

/** The key figures. Each shows the shipments that it counts; the last one shows the figures. */
function keyFigures({ board, snapshot, figures, clock, filter, screen }: View, actions: Actions): JSX.Element {
  const { kpis, keyFigures: label } = messages;
  const counts = board && snapshot && countTexts(board, snapshot);
  const share = figures && onTimeShare(figures.figures.onTime);
  const percent = new Intl.NumberFormat(clock.locale, { style: 'percent', maximumFractionDigits: 1 });
  const tile = (name: string, value: string | undefined, isPressed: boolean, press: () => void, isBad = false) => (
    <div class={isBad ? 'bad' : undefined}>
      <dt>
        <button type="button" aria-pressed={isPressed} onClick={press}>
          {name}
        </button>
      </dt>
      <dd>{value ?? unknown}</dd>
    </div>
  );
  const filtering = (shown: Shown, name: string, isBad = false) => {
    const isPressed = screen === 'shipments' && filter === shown;
    return tile(name, counts?.[shown], isPressed, () => actions.filter(isPressed ? 'active' : shown), isBad);
  };
  const isFigures = screen === 'figures';
  return (
    <section class="kpi" aria-label={label}>
      <dl>
        {filtering('active', kpis.active)}
        {filtering('today', kpis.today)}
        {filtering('attention', kpis.late, (board?.counts.attention ?? 0) > 0)}
        {filtering('exceptions', kpis.exceptions, (board?.exceptions ?? 0) > 0)}
        {tile(
          figures?.history.isSample ? kpis.onTimeSample : kpis.onTime,
          share === undefined ? undefined : percent.format(share),
          isFigures,
          () => actions.open(isFigures ? 'shipments' : 'figures'),
        )}
      </dl>
    </section>
  );
}

/** The screen of a link that shows nothing. */
function closed(reason: NonNullable<View['closed']>): JSX.Element {
  const { title, text } = messages.closed[reason];
  return (
    <div class="page">
      <header>
        {mark()}
        <b>Waybill</b>
      </header>
      <main class="closed">
        <h1>{title}</h1>
        <p>{text}</p>
      </main>
      {languageLinks(language, messages.languages)}
    </div>
  );
}
