import type { JSX } from 'preact';

const markPath = 'M6.5 9.5 11 22.5 16 12.5l5 10 4.5-13';

/** The mark of Waybill. */
export const mark = (): JSX.Element => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width={32} height={32} rx={8} fill="#10233a" />
    <path d={markPath} class="mark-line" />
    <circle cx={25.5} cy={9.5} r={3.4} fill="#ff7a1a" stroke="#10233a" stroke-width={1.6} />
  </svg>
);

/** The mark as a file. */
export const markSvg: string = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#10233a"/><path d="${markPath}" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/><circle cx="25.5" cy="9.5" r="3.4" fill="#ff7a1a"/></svg>`;
