import { readFileSync, type Stats, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import helmet from '@fastify/helmet';
import files from '@fastify/static';
import { isMatch } from '@waybill/contract/request-headers';
import { documentText } from '@waybill/http/operations';
import { Problem, problemType } from '@waybill/http/problems';
import { etagOf } from '@waybill/http/responses';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { serveText } from './serve-text.ts';

export interface Docs {
  /** The URL of the API, and that of the files. */
  baseUrl: string;
  cdnUrl: string;
  /** Empty when there are no docs. */
  docsFolder: string;
}

/** Serves the contract at /openapi.json and, when there is a folder for it, the docs site at /docs. */
export async function addDocs(app: FastifyInstance, { baseUrl, cdnUrl, docsFolder }: Docs): Promise<void> {
  serveText(app, '/openapi.json', documentText(baseUrl, cdnUrl), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=60',
    vary: 'Accept-Encoding',
  });
  if (docsFolder === '') return;
  await app.register(serveDocs, { prefix: '/docs', root: resolve(docsFolder) });
  app.get('/', (_request, reply) => reply.redirect('/docs/'));
}

async function serveDocs(docs: FastifyInstance, { root }: { root: string }): Promise<void> {
  await docs.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The colours of highlighted code are style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  });
  await docs.register(files, {
    root,
    serve: false, // the plugin's route does not find the compressed files of pages without an extension
    preCompressed: true,
    cacheControl: false,
    // They are made from size and modification time, and all files of a release have the same time.
    etag: false,
    lastModified: false,
    setHeaders: (reply, path, stats) => {
      reply.header('etag', etagOfFile(path, stats));
      // The name of an asset contains a hash of its content.
      const isAsset = path.startsWith(join(root, 'assets/'));
      reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const etagOfFile = fileTags();
  docs.addHook('onSend', async ({ headers }, reply, payload) => {
    const etag = reply.getHeader('etag');
    if (reply.statusCode !== 200 || typeof etag !== 'string' || !isMatch(headers['if-none-match'], etag))
      return payload;
    if (payload instanceof Readable) payload.destroy();
    for (const name of ['content-length', 'content-type']) reply.removeHeader(name);
    reply.code(304);
    return null;
  });
  docs.get('', (_request, reply) => reply.redirect('/docs/', 301));
  docs.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*'];
    const file = fileOf(path, root);
    if (file) return reply.sendFile(file);
    const other = path.endsWith('/') ? withoutEndingSlashes(path) : `${path}/`;
    if (other && fileOf(other, root)) return reply.redirect(`/docs/${encodeURI(other)}`, 301);
    if (!fileOf('', root)) return sendBuilding(request, reply);
    const notFoundPage = fileOf('404', root);
    if (!notFoundPage || !acceptsPage(request)) throw new Problem('not_found', 'There is nothing at this URL.');
    return reply.code(404).sendFile(notFoundPage);
  });
}

/** The file of a path, relative to the folder: pages have no extension, and a folder has an index. It has no other paths, such as `a//b`. */
function fileOf(path: string, root: string): string | undefined {
  const names = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  return names.find((name) => {
    const file = resolve(root, name);
    return file === root + sep + name && isFile(file);
  });
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if (isImpossibleName(error)) return false;
    throw error;
  }
}

/** Not with a regular expression, which takes long for thousands of slashes before another character. */
function withoutEndingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** `start` builds the docs while the service runs. */
function sendBuilding(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!acceptsPage(request)) throw new Problem('unavailable', 'The docs are being built.');
  reply.code(503).headers({ 'retry-after': '2', 'cache-control': 'no-store' }).type('text/html; charset=utf-8');
  return reply.send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Waybill docs</title>
<p>The docs are being built. This page reloads itself until they are ready.</p>
`);
}

/** Returns a function that makes the ETag of a file from its content, which it reads once for each version of the file. */
function fileTags(): (path: string, stats: Stats) => string {
  const tags = new Map<string, { version: string; etag: string }>();
  return (path, { ino, size, ctimeMs }) => {
    const version = [ino, size, ctimeMs].join();
    let known = tags.get(path);
    if (known?.version !== version) known = { version, etag: etagOf(readFileSync(path)) };
    tags.set(path, known);
    return known.etag;
  };
}

/** Whether no file can have the name: it contains a null byte or is too long. */
const isImpossibleName = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ERR_INVALID_ARG_VALUE', 'ENAMETOOLONG'].includes(String(error.code));

/** Whether a client asks for HTML, as browsers do; other clients get a problem. */
const acceptsPage = ({ headers }: FastifyRequest): boolean =>
  new Negotiator({ headers: { accept: headers.accept?.slice(0, 1000) } }).mediaType([problemType, 'text/html']) ===
  'text/html';
