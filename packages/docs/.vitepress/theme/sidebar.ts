/** Scrolls the sidebar so that the link to the current page is visible. */
export function showActiveLink(): void {
  const sidebar = document.querySelector('.VPSidebar');
  const link = sidebar?.querySelector('.is-active.is-link');
  if (!sidebar || !link) return;
  const { top, bottom } = link.getBoundingClientRect();
  const view = sidebar.getBoundingClientRect();
  if (top < view.top + 80 || bottom > view.bottom) sidebar.scrollTop += top - view.top - view.height / 2;
}
