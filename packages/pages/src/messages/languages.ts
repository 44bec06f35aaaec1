import Negotiator from 'negotiator';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Messages } from './messages.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

export type Language = 'en' | 'es' | 'fr' | 'de' | 'pt' | 'zh';

interface LanguageTexts {
  messages: Messages;
  /** The locale of its dates and numbers. */
  locale: string;
}

/** Language → its texts and the locale of its dates and numbers. */
export const languages: Record<Language, LanguageTexts> = {
  en: { messages: en, locale: 'en-US' },
  es: { messages: es, locale: 'es' },
  fr: { messages: fr, locale: 'fr' },
  de: { messages: de, locale: 'de' },
  pt: { messages: pt, locale: 'pt-BR' },
  zh: { messages: zh, locale: 'zh-CN' },
};

export const languageNames = Object.keys(languages) as Language[];

/**
 * The language of a page: the one that its URL asks for, else the best of `Accept-Language` (RFC 9110, section 12.5.4), else
 * English.
 * @param asked the value of `?lang=`
 */
export function languageOf(asked: unknown, acceptLanguage: string | undefined): Language {
  if (isLanguage(asked)) return asked;
  const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
  const best = new Negotiator({ headers }).language([...languageNames]);
  return isLanguage(best) ? best : 'en';
}

export type { ExceptionCode, ExceptionStep, Status } from './messages.ts';

const isLanguage = (value: unknown): value is Language => languageNames.some((name) => name === value);

/** The entry of a value that the contract may add to a list later, or undefined. */
export const textOf = (texts: Record<string, string>, value: string): string | undefined =>
  Object.hasOwn(texts, value) ? texts[value] : undefined;
