/** Opens what contains the target of the URL, and scrolls to it. Browsers open it only when they load a page. */
export function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const closed = () => target?.closest('details:not([open])');
  if (!closed()) return;
  for (let next = closed(); next; next = closed()) next.setAttribute('open', '');
  target?.scrollIntoView();
}
