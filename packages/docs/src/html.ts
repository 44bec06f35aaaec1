/** A piece of finished markup. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Value = string | number | Html | Html[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup with values in it: text is escaped, markup is taken as it is. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

function render(value: Value): string {
  if (value instanceof Html) return value.source;
  if (Array.isArray(value)) return value.map((part) => part.source).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Paragraphs of such prose, with empty lines between them. */
export const paragraphs = (text: string): Html =>
  html`${text
    .trim()
    .split(/\n{2,}/)
    .map((part) => html`<p>${prose(part)}</p>\n`)}`;

/** The little Markdown that the contract's tables use: `code`. */
export function prose(text: string): Html {
  const parts = text.trim().split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
