import { readFileSync } from 'node:fs';

/** @param name of a file in a package */
export const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(import.meta.resolve(name)), 'utf8'));
