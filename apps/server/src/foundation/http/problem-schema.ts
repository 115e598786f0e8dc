import { Type } from 'typebox';

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Address of a page that explains the code.', format: 'uri-reference' }),
    title: Type.String({ description: 'The same for every occurrence of the code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What went wrong this time.' }),
    code: Type.String({
      description: 'Stable name of the error; branch on this.',
      pattern: '^[a-z][a-z0-9_]*$',
    }),
    requestId: Type.String({ description: 'Equal to X-Request-Id; quote it when asking for help.' }),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds to wait, as in Retry-After.' }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          in: Type.Enum(['query', 'path', 'header', 'body']),
          name: Type.String(),
          message: Type.String(),
        }),
        { description: 'Each place in the request that is wrong.' },
      ),
    ),
  },
  { title: 'Problem', description: 'The body of every error. More fields may come.' },
);
