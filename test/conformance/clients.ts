import type { ConformanceClient } from './runners/client.ts';
import { go } from './runners/go.ts';
import { java } from './runners/java.ts';
import { php } from './runners/php.ts';
import { python } from './runners/python.ts';
import { typescript } from './runners/typescript.ts';

export const clients: Record<string, ConformanceClient> = { typescript, python, java, go, php };
