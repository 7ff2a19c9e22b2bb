/**
 * The chat page as files: `GET /` for browsers, and what the page loads. Built files carry their hash in their names and
 * are kept for ever; the rest is asked for again each time. Says nothing of sessions or callers: the page is public, what
 * it calls is not.
 */
import type { ServerResponse } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { asksFor } from '../../wire/media-type.ts';

/** Where the built page lies, and which files there are; each may have a `.br` and a `.gz` beside it. */
export interface PageFiles {
  readonly folder: string;
  /** Paths below the folder, with `/`. */
  readonly names: ReadonlySet<string>;
}

/**
 * No script but the page's own files, nothing of others in it, and it is in no frame. Styles may stand inline because a
 * diagram is drawn with some; connections go where the person says that the agent is.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self' http: https: ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const encodings = { br: '.br', gzip: '.gz' } as const;
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Only who asks for HTML by name gets the page: `GET /` of an agent or of `curl` is answered as if there were none. */
export function addChatPage(app: Express, page: PageFiles): void {
  const files = express.static(page.folder, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders,
  });
  const serve =
    (nameOf: (path: string) => string): RequestHandler =>
    (request, response, next) => {
      const name = nameOf(request.path);
      if (!page.names.has(name)) return next();
      response.vary('Accept-Encoding');
      const accepted = request.acceptsEncodings('br', 'gzip');
      const extension = accepted === 'br' || accepted === 'gzip' ? encodings[accepted] : '';
      const wanted = page.names.has(name + extension) ? name + extension : name;
      const asked = request.url;
      request.url = `/${wanted}`;
      return files(request, response, (problem?: unknown) => {
        request.url = asked;
        next(problem);
      });
    };
  const index = serve(() => 'index.html');
  app.get('/', (request, response, next) => {
    response.vary('Accept');
    return asksFor(request.headers.accept, 'text/html') ? index(request, response, next) : next();
  });
  app.get(
    ['/assets/:file', '/icon.svg'],
    serve((path) => path.slice(1)),
  );
}

function setHeaders(response: ServerResponse, path: string): void {
  const [, name = '', extension = '', encoding] = /([^/\\]+?)\.([a-z]+)(?:\.(br|gz))?$/.exec(path) ?? [];
  const type = types[extension];
  if (type !== undefined) response.setHeader('Content-Type', type);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding === 'gz' ? 'gzip' : encoding);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  const isHashed = name.includes('-');
  response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (extension !== 'html') return;
  response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
}
