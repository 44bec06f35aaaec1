import { type Language, locales, preferredLanguage } from '../messages/locales.ts';
import type { BoardMessages } from './messages/messages.ts';

const asked = new URLSearchParams(location.search).get('lang') ?? '';

export const language: Language = preferredLanguage([asked, ...navigator.languages]);
export const locale: string = locales[language];

/** Each language is a file of its own, so that a browser loads one. */
const file = `/board/${language}.js`;
const loaded: { messages: BoardMessages } = await import(file);

/** The texts in the language that the URL asks for, else the first one of the browser that the board has. */
export const messages: BoardMessages = loaded.messages;
