import { expect, test } from 'vitest';

import { ProblemError } from '../problem.ts';
import { httpProblems, internal } from './http-problems.ts';
import { problemResponse, statusOfKind, toProblemError } from './problem-response.ts';

test.each(httpProblems.map((definition) => [definition.code, definition] as const))(
  '%s has its status, its page and its explanation',
  (code, definition) => {
    const { status, headers, body } = problemResponse(new ProblemError(definition, 'this time'), 'id');
    expect(JSON.parse(body.toString())).toEqual({
      type: `/problems/${code.replaceAll('_', '-')}`,
      title: definition.title,
      status,
      detail: 'This time.',
      code,
      requestId: 'id',
    });
    expect(status).toBe(statusOfKind[definition.kind]);
    expect(headers).toMatchObject({ 'x-request-id': 'id', 'cache-control': 'no-store' });
    expect(definition.explanation.length).toBeGreaterThan(20);
  },
);

test('codes are unique', () => {
  expect(new Set(httpProblems.map(({ code }) => code)).size).toBe(httpProblems.length);
});

test.each([
  [0.2, 1],
  [1, 1],
  [29.5, 30],
])('a wait of %d s is sent as %d whole seconds, in header and body', (given, sent) => {
  const { headers, body } = problemResponse(
    new ProblemError(internal, 'later', { retryAfterSeconds: given }),
    'id',
  );
  expect(headers['retry-after']).toBe(String(sent));
  expect(JSON.parse(body.toString())).toMatchObject({ retryAfter: sent });
});

test.each([undefined, null, 0, 'text', {}, Object.assign(new Error('x'), { statusCode: 302 })])(
  'turns any thrown value (%s) into internal, without its text',
  (thrown) => {
    expect(toProblemError(thrown)).toMatchObject({ definition: internal, cause: thrown });
  },
);
