import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { ForgingProvider } from '../../../test/forging-provider.ts';
import { discoveryPath, metadataOf, sendJson, startForgingProvider } from '../../../test/forging-provider.ts';
import type { OpenIdIssuer } from './openid-issuer.ts';
import { createOpenIdIssuer } from './openid-issuer.ts';

let provider: ForgingProvider;
let clock: ReturnType<typeof createTestClock>;
let openId: OpenIdIssuer;
beforeEach(async () => {
  provider = await startForgingProvider();
  clock = createTestClock('2026-11-15T00:00:00.000Z');
  openId = createOpenIdIssuer(provider.settings, clock.nowMs, 0.3);
});
afterEach(() => provider.stop());

const ask = (): Promise<unknown> => openId.configuration().catch((error: unknown) => error);

const away = { definition: { code: 'temporarily_unavailable' }, retryAfterSeconds: 5 };

test('reads the metadata at the first sign-in, and then caches it for an hour', async () => {
  expect(provider.asked(discoveryPath)).toBe(0);
  await Promise.all([ask(), ask(), ask()]);
  clock.advance({ minutes: 59 });
  await ask();
  expect(provider.asked(discoveryPath)).toBe(1);
  clock.advance({ minutes: 1 });
  await ask();
  expect(provider.asked(discoveryPath)).toBe(2);
});

test('retries an unreachable provider after five seconds, and no sooner', async () => {
  provider.answer(discoveryPath, (response) => response.writeHead(503).end());
  expect(await ask()).toMatchObject(away);
  provider.answer(discoveryPath, sendJson(metadataOf(provider.issuer)));
  clock.advance({ seconds: 4 });
  expect(await ask()).toMatchObject(away);
  expect(provider.asked(discoveryPath)).toBe(1);
  clock.advance({ seconds: 1 });
  expect(await ask()).not.toBeInstanceOf(Error);
});

describe('invalid metadata', () => {
  test.each([
    ['no answer at all', () => {}],
    ['the first bytes of an answer', (response) => response.write('{')],
    ['not JSON', (response) => response.setHeader('content-type', 'application/json').end('{')],
    ['another page', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['another issuer', sendJson(metadataOf('https://evil.example'))],
  ] as readonly (readonly [string, Parameters<ForgingProvider['answer']>[1]])[])(
    '%s',
    async (_what, reply) => {
      provider.answer(discoveryPath, reply);
      provider.answer('/elsewhere', sendJson(metadataOf(provider.issuer)));
      expect(await ask()).toMatchObject(away);
    },
  );

  test('refuses a valid response of more than 256 KiB', async () => {
    const padding = 'x'.repeat(256 * 1024);
    provider.answer(discoveryPath, sendJson({ ...metadataOf(provider.issuer), padding }));
    expect(await ask()).toMatchObject(away);
  });

  test('refuses an unreachable address', async () => {
    await provider.stop();
    expect(await ask()).toMatchObject(away);
    provider = await startForgingProvider();
  });
});
