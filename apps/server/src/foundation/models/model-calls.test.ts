import { Type } from 'typebox';
import { afterEach, describe, expect, test } from 'vitest';

import type { ModelServer, ModelServerReply } from '../../../test/model-server.ts';
import { openModelServer } from '../../../test/model-server.ts';
import { createModelBreaker } from './model-breaker.ts';
import type { ModelBudget, ModelCalls } from './model-calls.ts';
import { ModelUnavailable, createModelCalls } from './model-calls.ts';
import { createModelEndpoint, describeModelFailure } from './model-endpoint.ts';

const schema = Type.Object({ title: Type.String({ maxLength: 10 }) });
const unlimited: ModelBudget = { take: async () => ({ granted: true }) };
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Stage {
  readonly calls: ModelCalls;
  readonly server: ModelServer;
  readonly advance: (ms: number) => void;
}

async function open(
  reply: (nth: number) => ModelServerReply,
  options: { readonly budget?: ModelBudget; readonly timeoutMs?: number } = {},
): Promise<Stage> {
  let now = 0;
  server = await openModelServer((_, nth) => reply(nth));
  const endpoint = createModelEndpoint({
    baseUrl: server.url,
    apiKey: 'secret',
    structuredOutput: 'schema',
    timeoutMs: options.timeoutMs ?? 5_000,
  });
  const breaker = createModelBreaker({ elapsedMs: () => now, failuresMax: 2, firstPauseMs: 1_000 });
  const calls = createModelCalls({ endpoint, breaker, budget: options.budget ?? unlimited, waitMaxMs: 500 });
  return { calls, server, advance: (ms) => (now += ms) };
}

const ask = ({ calls }: Stage, signal = new AbortController().signal): Promise<unknown> =>
  calls.call({
    model: 'm',
    system: 'Be brief.',
    prompt: 'Say it.',
    schema,
    outputTokensMax: 50,
    idempotencyKey: 'k-1',
    signal,
  });

describe('a model call', () => {
  test('sends prompt, schema, key and bound, and returns a response that fits the schema', async () => {
    const stage = await open(() => ({ answer: { title: 'short' } }));
    expect(await ask(stage)).toEqual({ answer: { title: 'short' }, inputTokens: 7, outputTokens: 3 });
    const [request] = stage.server.requests;
    expect(request?.headers).toMatchObject({ authorization: 'Bearer secret', 'idempotency-key': 'k-1' });
    expect(request?.body).toMatchObject({
      model: 'm',
      max_tokens: 50,
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Say it.' },
      ],
      response_format: { type: 'json_schema' },
    });
  });

  test('puts the schema into the prompt of a server that does not enforce one', async () => {
    server = await openModelServer(() => ({ answer: { title: 'ok' } }));
    const endpoint = createModelEndpoint({
      baseUrl: server.url,
      apiKey: '',
      structuredOutput: 'json',
      timeoutMs: 5_000,
    });
    const { signal } = new AbortController();
    const request = {
      model: 'm',
      system: 'Be brief.',
      prompt: 'Say it.',
      schema,
      outputTokensMax: 9,
      idempotencyKey: 'k',
      signal,
    };
    expect(await endpoint.generate(request)).toMatchObject({ answer: { title: 'ok' } });
    expect(server.requests[0]?.body.messages[0]?.content).toContain('"maxLength":10');
    expect(server.requests[0]?.body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test.each<[string, ModelServerReply]>([
    ['an answer off its schema', { answer: { title: 'much too long' } }],
    ['JSON that is cut off', { text: '{"title": "sho', finish: 'length' }],
    ['prose', { text: 'Sure! Here it is.' }],
    ['500', { status: 500 }],
    ['503 without a word about when', { status: 503 }],
    ['401', { status: 401 }],
    ['an endless answer', { endless: true }],
  ])('throws after one request for %s, which may have been charged', async (_, reply) => {
    const stage = await open(() => reply);
    const error = await ask(stage).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(describeModelFailure(error).isRefusedForNow).toBe(false);
    expect(stage.server.requests).toHaveLength(1);
  });

  test('ends at its deadline and when its workflow is cancelled', async () => {
    const stage = await open(() => ({ hang: true }), { timeoutMs: 60 });
    await expect(ask(stage)).rejects.toThrow(/timeout/iu);
    await expect(ask(stage, AbortSignal.abort())).rejects.toThrow(/abort/iu);
  });

  test('reports that a refused connection cost nothing', async () => {
    const stage = await open(() => ({ answer: {} }));
    await stage.server.close();
    const error = await ask(stage).catch((caught: unknown) => caught);
    expect(describeModelFailure(error)).toEqual({ isRefusedForNow: true, retryAfterMs: null });
  });
});

describe('429 with Retry-After', () => {
  test('is awaited when it is short, and the call repeated once', async () => {
    const stage = await open((nth) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '0' } } : { answer: { title: 'ok' } },
    );
    expect(await ask(stage)).toMatchObject({ answer: { title: 'ok' } });
    expect(stage.server.requests).toHaveLength(2);
  });

  test('stops all calls for the requested time when it is long', async () => {
    const stage = await open(() => ({ status: 429, headers: { 'retry-after': '30' } }));
    const error = await ask(stage).catch((caught: unknown) => caught);
    expect(describeModelFailure(error)).toEqual({ isRefusedForNow: true, retryAfterMs: 30_000 });
    await expect(ask(stage)).rejects.toThrow(ModelUnavailable);
    stage.advance(29_000);
    await expect(ask(stage)).rejects.toThrow(ModelUnavailable);
    expect(stage.server.requests).toHaveLength(1);
    stage.advance(1_001);
    await expect(ask(stage)).rejects.not.toThrow(ModelUnavailable);
    expect(stage.server.requests).toHaveLength(2);
  });
});

describe('the breaker', () => {
  test('opens after consecutive failures, allows one call after its pause, and pauses longer if that fails too', async () => {
    let healthy = false;
    const stage = await open(() => (healthy ? { answer: { title: 'ok' } } : { status: 500 }));
    await expect(ask(stage)).rejects.toThrow('as told');
    await expect(ask(stage)).rejects.toThrow('as told');
    await expect(ask(stage)).rejects.toThrow(ModelUnavailable);
    stage.advance(1_001);
    await expect(ask(stage)).rejects.not.toThrow(ModelUnavailable);
    stage.advance(1_001);
    await expect(ask(stage)).rejects.toThrow(ModelUnavailable);
    expect(stage.server.requests).toHaveLength(3);
    stage.advance(1_000);
    healthy = true;
    expect(await ask(stage)).toMatchObject({ answer: { title: 'ok' } });
    expect(await ask(stage)).toMatchObject({ answer: { title: 'ok' } });
  });
});

describe('a budget', () => {
  test('that is spent prevents requests and is not queried until it is free again', async () => {
    let [asked, granted] = [0, false];
    const budget: ModelBudget = {
      take: async () => {
        asked += 1;
        return granted ? { granted } : { granted: false, retryAfterSeconds: 20 };
      },
    };
    const stage = await open(() => ({ answer: { title: 'ok' } }), { budget });
    await expect(ask(stage)).rejects.toThrow(ModelUnavailable);
    await expect(ask(stage)).rejects.toThrow(ModelUnavailable);
    expect([asked, stage.server.requests.length]).toEqual([1, 0]);
    stage.advance(20_001);
    granted = true;
    expect(await ask(stage)).toMatchObject({ answer: { title: 'ok' } });
  });
});
