import type { Amendment } from './amendment.ts';

export const php: Amendment[] = [];
