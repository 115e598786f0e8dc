import type { CorsPolicy } from './surface.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers of a response that a browser of this origin may read: none for an origin that is not listed. */
export function corsHeadersOf({ allowOrigin, exposeHeaders }: CorsPolicy, origin?: string): Headers {
  const expose = { 'access-control-expose-headers': exposeHeaders.join(', ') };
  if (allowOrigin === '*') return { 'access-control-allow-origin': '*', ...expose };
  if (origin === undefined || !allowOrigin.includes(origin)) return { vary: 'Origin' };
  return { 'access-control-allow-origin': origin, vary: 'Origin', ...expose };
}

/** The headers that OPTIONS adds, for the same origins. */
export function preflightHeadersOf(cors: CorsPolicy, allow: string, origin?: string): Headers {
  if (cors.allowOrigin !== '*' && (origin === undefined || !cors.allowOrigin.includes(origin))) return {};
  return {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': cors.allowHeaders.join(', '),
    'access-control-max-age': String(cors.maxAgeSeconds),
  };
}
