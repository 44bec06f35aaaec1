import Negotiator from 'negotiator';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { isLanguage, type Language, locales } from './locales.ts';
import type { Messages } from './messages.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

interface LanguageTexts {
  messages: Messages;
  /** The locale of its dates and numbers. */
  locale: string;
}

/** Language → its texts and the locale of its dates and numbers. */
export const languages: Record<Language, LanguageTexts> = {
  en: { messages: en, locale: locales.en },
  es: { messages: es, locale: locales.es },
  fr: { messages: fr, locale: locales.fr },
  de: { messages: de, locale: locales.de },
  pt: { messages: pt, locale: locales.pt },
  zh: { messages: zh, locale: locales.zh },
};

export const languageNames = Object.keys(languages) as Language[];

/**
 * The language of a page: the one that its URL asks for, else the best of `Accept-Language` (RFC 9110, section 12.5.4), else
 * English.
 * @param asked the value of `?lang=`
 */
export function languageOf(asked: unknown, acceptLanguage: string | undefined): Language {
  if (isLanguage(asked)) return asked;
  // Thousands of languages would take milliseconds to read.
  const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage.slice(0, 1000) };
  const best = new Negotiator({ headers }).language([...languageNames]);
  return isLanguage(best) ? best : 'en';
}

export type { Language } from './locales.ts';
export type { Status } from './messages.ts';
