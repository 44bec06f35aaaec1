import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { DriverMessages } from './messages.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

/** Language → its texts and the locale of its dates. */
const languages: Record<string, { messages: DriverMessages; locale: string }> = {
  en: { messages: en, locale: 'en-US' },
  es: { messages: es, locale: 'es' },
  fr: { messages: fr, locale: 'fr' },
  de: { messages: de, locale: 'de' },
  pt: { messages: pt, locale: 'pt-BR' },
  zh: { messages: zh, locale: 'zh-CN' },
};

/** The first language of the phone that the page has, else English. */
export function languageOf(preferred: readonly string[]): { messages: DriverMessages; locale: string } {
  const names = preferred.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  const name = names.find((name) => Object.hasOwn(languages, name)) ?? 'en';
  return languages[name] as { messages: DriverMessages; locale: string };
}
