import { Type } from 'typebox';

import { sha256Bytes } from '../../foundation/hash.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';

const contentType = 'image/svg+xml';

export function avatarRoutes(anonymous: Surface): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/avatars/{id}.svg',
      surface: anonymous,
      operationId: 'getAvatar',
      tag: 'account',
      summary: 'Get the generated picture of an account.',
      params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
      responses: { 200: { description: 'SVG.', schema: Type.String(), contentType } },
      problems: [],
      handle: ({ params, reply }) =>
        reply
          .header('content-type', contentType)
          .header('cache-control', 'public, max-age=86400, immutable')
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
          .send(drawAvatar(params.id)),
    }),
  ];
}

/** A picture generated from the id alone: it distinguishes accounts and does not reveal whether one exists. */
function drawAvatar(id: string): string {
  const bytes = sha256Bytes(`avatar ${id}`);
  const hue = Math.round((bytes.readUInt16BE(0) / 65_536) * 360);
  const cells: string[] = [];
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      if (bytes.readUInt8(2 + row * 3 + column) < 128) continue;
      cells.push(cell(column, row));
      if (column < 2) cells.push(cell(4 - column, row));
    }
  }
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" width="112" height="112" role="img">',
    `<rect width="7" height="7" fill="hsl(${hue} 45% 92%)"/>`,
    `<path fill="hsl(${hue} 45% 42%)" d="${cells.join('')}"/>`,
    '</svg>',
  ].join('');
}

function cell(column: number, row: number): string {
  return `M${column + 1} ${row + 1}h1v1h-1z`;
}
