import { afterAll, beforeAll, expect, test } from 'vitest';

import { ask } from '../../test/http-client.ts';
import { testStorage } from '../../test/identity.ts';
import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';
import { tusRequests } from '../../test/tus-requests.ts';

const origin = 'https://app.example.org';
let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage({ files: { ...testStorage, origins: [origin, 'http://localhost:3000'] } });
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const { create } = tusRequests(
  () => stage,
  () => project,
);

function preflight(path: string, method: string, from: string) {
  const headers = {
    origin: from,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,tus-resumable,upload-length,upload-metadata',
  };
  return ask(stage.app.port, path, { method: 'OPTIONS', headers });
}

test('answers the preflight of a configured origin with methods and headers, without credentials', async () => {
  const { status, headers } = await preflight('/api/v1/tus', 'POST', origin);
  expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([204, origin, 'Origin']);
  expect(headers['access-control-allow-methods']).toContain('POST');
  for (const name of ['Authorization', 'X-API-Key', 'Tus-Resumable', 'Upload-Offset', 'If-Match', 'Range'])
    expect(headers['access-control-allow-headers']?.split(', ')).toContain(name);
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test('lets a page of a configured origin read the headers of uploads, and errors', async () => {
  const created = await create(5, {}, { ...stage.owner, origin });
  expect(created.headers['access-control-allow-origin']).toBe(origin);
  for (const name of ['Location', 'Upload-Offset', 'Upload-Expires', 'Tus-Resumable', 'ETag'])
    expect(created.headers['access-control-expose-headers']?.split(', ')).toContain(name);
  const refused = await create(5, {}, { origin });
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, origin]);
});

test.each(['https://evil.example', 'https://app.example.org.evil.example', 'null', 'http://app.example.org'])(
  'answers other origins without CORS headers: %s',
  async (other) => {
    const asked = await preflight('/api/v1/tus', 'POST', other);
    const created = await create(5, {}, { ...stage.owner, origin: other });
    for (const { headers } of [asked, created])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(created.headers.vary).toBe('Origin');
  },
);

test('sends no CORS headers for links, which need no credential', async () => {
  const { headers } = await ask(stage.app.port, '/api/v1/shared/x/content', { headers: { origin } });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});
