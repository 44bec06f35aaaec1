/** Language → the locale of its dates and numbers. */
export const locales = { en: 'en-US', es: 'es', fr: 'fr', de: 'de', pt: 'pt-BR', zh: 'zh-CN' } as const;

export type Language = keyof typeof locales;

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(locales, value);
