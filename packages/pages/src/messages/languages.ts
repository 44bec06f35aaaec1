import * as all from './all.ts';
import type { LanguageTexts } from './messages.ts';

export type Language = keyof typeof all;

export const languages: Record<Language, LanguageTexts> = all;

/** English first, which is the choice of those who accept any language. */
export const languageNames: Language[] = [...new Set<Language>(['en', ...(Object.keys(languages) as Language[])])];

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value);

/** The first language that the pages have, else English. @param preferred tags such as "pt-BR" */
export const preferredLanguage = (preferred: readonly string[]): Language =>
  preferred.map((tag) => tag.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en';
