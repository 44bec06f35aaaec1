import { resolve } from 'node:path';
import { defaultBaseUrl } from '@waybill/contract/operations';
import type { Environment } from '../environment.ts';

/** Where a service for people listens and stores its data. */
export interface Settings {
  host: string;
  port: number;
  /** Absolute. */
  dataDir: string;
  /** The user's database; undefined for the embedded one. */
  databaseUrl: string | undefined;
  /** Base URL of the API, with the major version. */
  baseUrl: string;
  /** URL of the service on this machine. */
  localUrl: string;
  /** The other settings of the server, which reads and checks them. */
  env: Environment;
}

/** A setting is invalid; the message names it and a valid value. */
export class SettingsError extends Error {}

/** @throws {SettingsError} when a variable is invalid */
export function readSettings(env: Environment): Settings {
  const { port, pathname } = new URL(defaultBaseUrl);
  const host = env.HOST || '127.0.0.1';
  const ownPort = portFrom(env, 'PORT', Number(port));
  const localUrl = urlOf(host, ownPort);
  return {
    host,
    port: ownPort,
    dataDir: resolve(env.WAYBILL_DATA_DIR || '.waybill'),
    databaseUrl: env.DATABASE_URL || undefined,
    baseUrl: env.BASE_URL || localUrl + pathname,
    localUrl,
    env,
  };
}

/** Reads a port. @throws {SettingsError} */
export function portFrom(env: Environment, name: string, fallback: number): number {
  const text = env[name] || String(fallback);
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new SettingsError(`${name} must be a port from 1 to 65535, not '${text}', for example ${name}=${fallback}`);
}

/** The URL by which a client on this machine reaches a server. */
export function urlOf(host: string, port: number): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
