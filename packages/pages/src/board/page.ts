import { type ComponentChildren, h, type JSX, type TargetedEvent } from 'preact';
import { languageLinks } from '../language-links.ts';
import { mark } from '../mark.ts';
import { isolated, withUserText } from '../user-text.ts';
import { charts } from './charts.ts';
import { countTexts } from './coverage.ts';
import { details } from './details.ts';
import { onTimeShare } from './figures.ts';
import { list } from './list.ts';
import { BoardMap } from './map.ts';
import { language, messages } from './texts.ts';
import type { Actions, View } from './view.ts';
import { unknown } from './words.ts';

/** The whole page. */
export function boardPage({ view, actions }: { view: View; actions: Actions }): JSX.Element {
  if (view.closed) return closed(view.closed);
  return h(
    'div',
    { class: view.selected ? 'page open' : 'page' },
    header(view, actions),
    keyFigures(view),
    view.screen === 'figures'
      ? h('main', null, charts(view))
      : h(
          'main',
          { class: 'split' },
          list(view, actions),
          h(
            'div',
            { class: 'side' },
            view.board && h(BoardMap, { active: view.board.active, selected: view.selected, select: actions.select }),
            view.selected && details(view, view.selected, actions),
          ),
        ),
    languageLinks(language, messages.languages),
  );
}

function header({ connection, query, screen, notFound }: View, { search, look, open }: Actions): JSX.Element {
  const onInput = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => search(currentTarget.value);
  const onSubmit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    look();
  };
  const tab = (name: View['screen'], text: string) =>
    h('button', { type: 'button', 'aria-pressed': name === screen, onClick: () => open(name) }, text);
  return h(
    'header',
    null,
    mark(),
    h('h1', null, messages.title),
    h('span', { class: `connection ${connection}`, role: 'status' }, messages.connections[connection]),
    h('div', { class: 'tabs' }, tab('shipments', messages.shipmentsView), tab('figures', messages.figuresView)),
    h(
      'form',
      { role: 'search', onSubmit },
      h('input', {
        type: 'search',
        value: query,
        onInput,
        maxLength: 100,
        autocomplete: 'off',
        placeholder: `${messages.search}  /`,
        'aria-label': messages.search,
        title: messages.searchHelp,
      }),
      notFound !== undefined && h('p', { role: 'alert' }, withUserText(messages.notFound(isolated(notFound)))),
    ),
  );
}

function keyFigures({ board, snapshot, figures, clock }: View): JSX.Element {
  const { kpis, keyFigures: label } = messages;
  const counts = board && snapshot && countTexts(board, snapshot);
  const share = figures && onTimeShare(figures.figures.onTime);
  const percent = new Intl.NumberFormat(clock.locale, { style: 'percent', maximumFractionDigits: 1 });
  const figure = (name: string, value: ComponentChildren, isBad = false) =>
    h('div', { class: isBad ? 'bad' : undefined }, h('dt', null, name), h('dd', null, value ?? unknown));
  return h(
    'section',
    { class: 'kpi', 'aria-label': label },
    h(
      'dl',
      null,
      figure(kpis.active, counts?.active),
      figure(kpis.today, counts?.today),
      figure(kpis.late, counts?.attention, (board?.counts.attention ?? 0) > 0),
      figure(kpis.exceptions, counts?.exceptions, (board?.exceptions ?? 0) > 0),
      figure(
        figures?.history.isSample ? kpis.onTimeSample : kpis.onTime,
        share === undefined ? undefined : percent.format(share),
      ),
    ),
  );
}

/** The screen of a link that shows nothing. */
function closed(reason: NonNullable<View['closed']>): JSX.Element {
  const { title, text } = messages.closed[reason];
  return h(
    'div',
    { class: 'page' },
    h('header', null, mark(), h('b', null, 'Waybill')),
    h('main', { class: 'closed' }, h('h1', null, title), h('p', null, text)),
    languageLinks(language, messages.languages),
  );
}
