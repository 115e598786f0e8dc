import { Type } from 'typebox';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { SigningKeyRing } from './signing-key-ring.ts';

const JwksSchema = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.String(),
          crv: Type.String(),
          x: Type.String(),
          y: Type.String(),
          kid: Type.String(),
          alg: Type.String(),
          use: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'KeySet', additionalProperties: false },
);

export function jwksRoutes(deps: {
  readonly anonymous: Surface;
  readonly ring: SigningKeyRing;
}): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/.well-known/jwks.json',
      surface: deps.anonymous,
      operationId: 'getKeySet',
      tag: 'tokens',
      summary: 'The public keys that access tokens are signed with.',
      description:
        'A new key appears here well before it signs, and an old one stays until the last of its tokens has expired: keep a copy for as long as Cache-Control says.',
      responses: { 200: { description: 'A JSON Web Key Set.', schema: JwksSchema } },
      problems: [],
      handle: async ({ reply }) =>
        reply
          .header('cache-control', 'public, max-age=300, stale-if-error=3600')
          .send({ keys: await deps.ring.publicKeys() }),
    }),
  ];
}
