import type { Amendment } from './amendment.ts';

export const go: Amendment[] = [];
