import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

let database: TestDatabase;
let app: NewsApp;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startNewsApp({ database, clock: createTestClock('2026-11-15T12:00:00.000Z') });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const newsCodes = [
  'invalid_request',
  'invalid_cursor',
  'actor_forbidden',
  'not_found',
  'method_not_allowed',
  'snapshot_required',
  'rate_limited',
  'internal',
  'temporarily_unavailable',
];

test.each(newsCodes)('the type of %s links to a page that explains it', async (code) => {
  const answer = await app.get(`/problems/${code.replaceAll('_', '-')}`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain(`<code>${code}</code>`);
  // Explanations mark code as Markdown does; a page shows it as code.
  expect(answer.text.slice(answer.text.indexOf('<main'))).not.toContain('`');
  expect(answer.text).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<main[\s\S]*<h1/);
});

test('an unknown code has no page', async () => {
  const answer = await app.get('/problems/unheard-of');
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
});

test('a rate-limited visitor gets an error in the language of the page', async () => {
  const settings = { DAYBOOK_RATE_PER_MINUTE: '1' };
  const clock = createTestClock('2026-11-15T12:00:00.000Z');
  const limited = await startNewsApp({ database, clock, settings });
  try {
    await limited.get('/zh/search');
    const [chinese, english] = [await limited.get('/zh/search'), await limited.get('/search')];
    expect([chinese.status, chinese.text]).toEqual([429, expect.stringContaining('请一分钟后重试')]);
    expect(chinese.text.slice(chinese.text.indexOf('<main'))).not.toContain('Retry-After');
    expect([english.status, english.text]).toEqual([429, expect.stringContaining('Wait a minute')]);
  } finally {
    await limited.stop();
  }
});
