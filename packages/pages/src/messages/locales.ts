/** Language → the locale of its dates and numbers. */
export const locales = { en: 'en-US', es: 'es', fr: 'fr', de: 'de', pt: 'pt-BR', zh: 'zh-CN' } as const;

export type Language = keyof typeof locales;

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(locales, value);

/** The first language that the pages have, else English. @param preferred tags such as "pt-BR" */
export const preferredLanguage = (preferred: readonly string[]): Language =>
  preferred.map((tag) => tag.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en';
