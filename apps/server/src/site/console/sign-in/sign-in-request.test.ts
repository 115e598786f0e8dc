import { expect, test } from 'vitest';

import { waitingProgram } from './sign-in-request.ts';

const challenge = 'a'.repeat(43);

test.each([
  [{ code_challenge: challenge }, challenge],
  [{ code_challenge: challenge, code_challenge_method: 'S256' as const }, challenge],
  [{}, null],
])('stores a waiting program with %j and the challenge %s', (fields, codeChallenge) => {
  expect(waitingProgram({ source: 'api', port: 50_000, ...fields })).toEqual({
    port: 50_000,
    codeChallenge,
    state: null,
  });
});

test.each([
  [{ source: 'api' as const }, 'port'],
  [{ source: 'api' as const, port: 50_000, code_challenge_method: 'S256' as const }, 'code_challenge'],
  [{ port: 50_000 }, 'source'],
  [{ code_challenge: challenge }, 'source'],
  [{ state: 'x' }, 'source'],
])('%j is refused by %s', (query, name) => {
  expect(() => waitingProgram(query)).toThrow(new RegExp(`invalid_request: ${name} `));
});

test('a sign-in for the pages alone waits for no program', () => {
  expect(waitingProgram({ return: '/account' })).toBeNull();
});
