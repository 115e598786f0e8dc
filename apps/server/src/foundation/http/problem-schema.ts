import { Type } from 'typebox';

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'URL of a page that explains the code.', format: 'uri-reference' }),
    title: Type.String({ description: 'The same for every occurrence of the code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'Explanation of this occurrence.' }),
    code: Type.String({
      description: 'Stable error code. Use it to handle errors.',
      pattern: '^[a-z][a-z0-9_]*$',
    }),
    requestId: Type.String({ description: 'Equal to X-Request-Id. Include it when you contact support.' }),
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
        { description: 'Invalid parameters and fields.' },
      ),
    ),
  },
  { title: 'Problem', description: 'The body of every error response. Fields may be added.' },
);
