import type { BuiltBody } from '../../foundation/cache/representation.ts';

export const markdownContentType = 'text/markdown; charset=utf-8';

export function markdownBody(body: string): BuiltBody {
  return { status: 200, contentType: markdownContentType, body };
}
