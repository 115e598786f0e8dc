import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { expectProblem } from '../../http-client.ts';
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

test.each(newsCodes)('the type of %s leads to a page that explains it', async (code) => {
  const answer = await app.get(`/problems/${code.replaceAll('_', '-')}`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain(`<code>${code}</code>`);
  expect(answer.text).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<main[\s\S]*<h1>/);
});

test('every page forbids what is not ours, inline code and frames', async () => {
  for (const path of ['/docs', '/terms', '/problems', '/problems/not-found']) {
    const answer = await app.get(path);
    expect(answer.status).toBe(200);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.text).not.toMatch(/<script>|<style|style="|\son\w+=/);
  }
});

test('the reference and everything it loads come from here', async () => {
  const { text } = await app.get('/docs');
  const loaded = [...text.matchAll(/(?:src|href)="(\/[^"#]+\.(?:js|css))"/g)].map(
    ([, path]) => path as string,
  );
  expect(loaded).toHaveLength(4);
  for (const path of loaded) {
    const answer = await app.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  }
});

test('a code that does not exist has no page', async () => {
  expectProblem(await app.get('/problems/unheard-of'), 404, 'not_found');
});
