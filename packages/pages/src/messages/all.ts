// biome-ignore-all lint/performance/noBarrelFile: a page chooses a language when it runs

/** Every language of the pages: to add one, add its file and a line here. */
export * as de from './de.ts';
export * as en from './en.ts';
export * as es from './es.ts';
export * as fr from './fr.ts';
export * as pt from './pt.ts';
export * as zh from './zh.ts';
