import { type Language, locales, preferredLanguage } from '../../messages/locales.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { DriverMessages } from './messages.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

const languages: Record<Language, DriverMessages> = { en, es, fr, de, pt, zh };

/** The first language of the phone that the page has, else English. */
export function languageOf(preferred: readonly string[]): { messages: DriverMessages; locale: string } {
  const name = preferredLanguage(preferred);
  return { messages: languages[name], locale: locales[name] };
}
