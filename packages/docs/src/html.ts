/** Markup that is not escaped again. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Value = string | number | Html | Html[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template for markup. Text values are escaped, `Html` values are not. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

function render(value: Value): string {
  if (value instanceof Html) return value.source;
  if (Array.isArray(value)) return value.map((part) => part.source).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Text with paragraphs separated by empty lines. */
export const paragraphs = (text: string): Html =>
  html`${text
    .trim()
    .split(/\n{2,}/)
    .map((part) => html`<p>${prose(part)}</p>\n`)}`;

/** Text with Markdown code spans. */
export function prose(text: string): Html {
  const parts = text.trim().split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
