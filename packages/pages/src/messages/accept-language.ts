import Negotiator from 'negotiator';
import { isLanguage, type Language, languageNames } from './languages.ts';

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
