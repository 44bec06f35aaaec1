import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { WaybillClientError, WaybillError } from '@waybill/client';
import { InvalidRequest } from '@waybill/contract/validation/invalid-request';

/** Maximum bytes of the JSON of an answer, which has its data twice: as data, and as text for clients that know only text. */
const maxAnswerBytes = 20_000;
/** Bytes that each text of an answer may have. The first that makes the answer small enough applies. */
const textLimits = [2000, 500, 200, 100, 60, 40];

/** Makes the answer of a tool. Long texts of a large one are cut, and say so. */
export function answer(data: object, isError = false): CallToolResult {
  for (const limit of textLimits) {
    const structuredContent = withShortTexts(data, limit) as Record<string, unknown>;
    const text = JSON.stringify(structuredContent);
    const result = { content: [{ type: 'text' as const, text }], structuredContent, ...(isError && { isError }) };
    if (Buffer.byteLength(JSON.stringify(result)) <= maxAnswerBytes) return result;
  }
  return answer({ code: 'answer_too_large', detail: 'Ask for less, for example with a smaller `limit`.' }, true);
}

function withShortTexts(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return shortened(value, limit);
  if (Array.isArray(value)) return value.map((each) => withShortTexts(each, limit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withShortTexts(each, limit)]));
}

/** Bytes of a text in JSON, without its quotes. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

function shortened(text: string, limit: number): string {
  if (bytesOf(text) <= limit) return text;
  const characters = [...text];
  let [length, bytes] = [0, bytesOf('… (2,000 more characters)')];
  for (const character of characters) {
    bytes += bytesOf(character);
    if (bytes > limit) break;
    length++;
  }
  const more = (characters.length - length).toLocaleString('en-US');
  return `${characters.slice(0, length).join('')}… (${more} more characters)`;
}

/**
 * Makes the answer from which an agent can correct its call.
 * @param onError receives errors that are neither of the call nor of the service
 */
export function errorAnswer(error: unknown, onError?: (error: unknown) => void): CallToolResult {
  const problem = problemOf(error);
  if (problem === undefined) onError?.(error);
  return answer(problem ?? { code: 'internal_error', detail: 'An internal error occurred.' }, true);
}

function problemOf(error: unknown): object | undefined {
  if (error instanceof InvalidRequest) {
    const { code, message: detail, errors } = error;
    return { code, detail, errors: errors?.map(({ in: _, ...field }) => field) };
  }
  if (error instanceof WaybillError) {
    const { type: _, title: __, status: ___, instance: ____, ...shown } = error.problem;
    return { ...shown, ...(error.retryAfter !== null && { retry_after_seconds: Math.ceil(error.retryAfter / 1000) }) };
  }
  if (error instanceof WaybillClientError) return { code: 'no_response', detail: error.message };
  return undefined;
}
