import type { Entry } from './entries.ts';

/** The part of the version that a change raises: it breaks clients, adds something, or changes only text. */
export type Impact = 'major' | 'minor' | 'patch';
export const impacts: Impact[] = ['patch', 'minor', 'major'];

export interface Change extends Entry {
  impact: Impact;
  /** JSON pointer into the document that contains the changed part. */
  pointer: string;
  /** For a breaking change: the rule and its reason. Otherwise empty. */
  why: string;
}
