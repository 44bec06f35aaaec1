import { type Language, languages, preferredLanguage } from '../messages/languages.ts';
import type { BoardMessages } from '../messages/messages.ts';

const asked = new URLSearchParams(location.search).get('lang') ?? '';

export const language: Language = preferredLanguage([asked, ...navigator.languages]);
export const locale: string = languages[language].locale;

/** Each language is a file of its own, so that a browser loads one. */
const file = `/board/${language}.js`;
const loaded: { board: BoardMessages } = await import(file);

/** The texts in the language that the URL asks for, else the first one of the browser that the board has. */
export const messages: BoardMessages = loaded.board;
