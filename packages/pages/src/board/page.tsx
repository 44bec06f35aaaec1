import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
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
import { language, messages } from './texts.ts';
import type { Actions, View } from './view.ts';
import { unknown } from './words.ts';

/** The whole page. */
export function BoardPage({ view, actions }: { view: View; actions: Actions }): JSX.Element {
  if (view.closed) return closed(view.closed);
  return (
    <div class={view.selected ? 'page open' : 'page'}>
      {header(view, actions)}
      {keyFigures(view)}
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

function keyFigures({ board, snapshot, figures, clock }: View): JSX.Element {
  const { kpis, keyFigures: label } = messages;
  const counts = board && snapshot && countTexts(board, snapshot);
  const share = figures && onTimeShare(figures.figures.onTime);
  const percent = new Intl.NumberFormat(clock.locale, { style: 'percent', maximumFractionDigits: 1 });
  const figure = (name: string, value: ComponentChildren, isBad = false) => (
    <div class={isBad ? 'bad' : undefined}>
      <dt>{name}</dt>
      <dd>{value ?? unknown}</dd>
    </div>
  );
  return (
    <section class="kpi" aria-label={label}>
      <dl>
        {figure(kpis.active, counts?.active)}
        {figure(kpis.today, counts?.today)}
        {figure(kpis.late, counts?.attention, (board?.counts.attention ?? 0) > 0)}
        {figure(kpis.exceptions, counts?.exceptions, (board?.exceptions ?? 0) > 0)}
        {figure(
          figures?.history.isSample ? kpis.onTimeSample : kpis.onTime,
          share === undefined ? undefined : percent.format(share),
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
