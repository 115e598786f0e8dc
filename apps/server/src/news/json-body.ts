import type { BuiltBody } from '../foundation/cache/representation.ts';

export const jsonContentType = 'application/json; charset=utf-8';

export function jsonBody(body: string | Buffer): BuiltBody {
  return { status: 200, contentType: jsonContentType, body };
}
