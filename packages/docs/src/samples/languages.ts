import type { Operation } from '../contract.ts';
import { curlSample } from './curl.ts';
import { goSample } from './go.ts';
import { javaSample } from './java.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import { typescriptSample } from './typescript.ts';

interface Language {
  title: string;
  /** A program, or a command, that calls an operation with the examples of the contract. */
  sample: (operation: Operation) => string;
}

/** The languages of the samples, by their name in Markdown. */
export const languages: Record<string, Language> = {
  sh: { title: 'curl', sample: curlSample },
  ts: { title: 'TypeScript', sample: typescriptSample },
  python: { title: 'Python', sample: pythonSample },
  java: { title: 'Java', sample: javaSample },
  go: { title: 'Go', sample: goSample },
  php: { title: 'PHP', sample: phpSample },
};
