import type { Amendment } from './amendment.ts';

export const java: Amendment[] = [];
