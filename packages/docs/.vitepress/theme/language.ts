import { tabStorage } from './tab-storage.ts';

const name = 'waybill.language';

/** Remembers in this tab which language the reader chose for a sample. */
export function rememberLanguage(): void {
  addEventListener('change', ({ target }) => {
    const language =
      target instanceof HTMLInputElement && target.closest('.vp-code-group') && target.labels?.[0]?.textContent;
    if (!language) return;
    tabStorage.set(name, language);
    showLanguage();
  });
}

/** Shows the chosen language in all samples of the page that have it. */
export function showLanguage(): void {
  const language = tabStorage.get(name);
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const labels = [...group.querySelectorAll('label')];
    const chosen = labels.findIndex(({ textContent }) => textContent === language);
    if (chosen < 0) continue;
    (labels[chosen]?.control as HTMLInputElement).checked = true;
    const blocks = group.querySelector('.blocks')?.children ?? [];
    for (const [index, block] of [...blocks].entries()) block.classList.toggle('active', index === chosen);
  }
}
