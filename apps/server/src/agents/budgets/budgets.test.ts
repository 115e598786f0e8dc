import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { openTestAnswerModels } from '../../../test/answer-models.ts';
import { createRecordFactory } from '../../../test/factories/record-factory.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { ModelServer, ModelServerReply } from '../../../test/model-server.ts';
import { openModelServer } from '../../../test/model-server.ts';
import { epochMicroseconds, isoMilliseconds, parseIsoInstant } from '../../foundation/instant.ts';
import { periodAt } from './budget.ts';

const usage = { prompt_tokens: 900, completion_tokens: 100 };
let server: ModelServer;
let reply: (nth: number) => ModelServerReply;
let stage: TestAccess;
let organization: TestOrganization;
let agentId: string;

beforeAll(async () => {
  server = await openModelServer((_, nth) => reply(nth));
  const prices = { inputPrice: 2, outputPrice: 10 };
  stage = await startTestAccess({
    answerModels: (database) =>
      openTestAnswerModels(database, { url: server.url, outputTokensMax: 500, ...prices }),
  });
  const record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  await record.publish({
    title: 'Veltrane reports third-quarter results',
    summary: 'Veltrane reported third-quarter revenue of $4.2 billion on Thursday.',
  });
});
afterAll(async () => {
  await stage.stop();
  await server.close();
});
beforeEach(async () => {
  reply = () => ({ text: 'Veltrane reported third-quarter revenue of $4.2 billion. [1]', usage });
  organization = await stage.createOrganization();
  const body = { template_name: 'ai-mentor', new_mentor_name: 'Researcher' };
  const made = await stage.send('POST', pathOf('mentor-with-settings/'), organization.owner.headers, body);
  agentId = String(made.json()['unique_id']);
});

const pathOf = (rest: string, { username }: TestMember = organization.owner): string =>
  `/dm/api/ai-mentor/orgs/${organization.key}/users/${username}/${rest}`;
const ask = (member = organization.owner): Promise<Answer> =>
  stage.send('POST', pathOf(`mentors/${agentId}/answers/`, member), member.headers, {
    question: "What was Veltrane's third-quarter revenue?",
  });
const limit = async (budget: object, member = organization.owner): Promise<Answer> =>
  stage.send('PUT', pathOf('agent-budgets/', member), member.headers, {
    scope: 'organization',
    subject: null,
    period: 'day',
    tokens_max: null,
    cost_max: null,
    ...budget,
  });
const used = async (scope: string, period = 'day', member = organization.owner) => {
  const answer = await stage.send('GET', pathOf(`agent-usage/?agent=${agentId}`, member), member.headers);
  const lines = answer.json() as unknown as Record<string, unknown>[];
  return lines.find((line) => line['scope'] === scope && line['period'] === period);
};
const calls = async (): Promise<readonly Record<string, unknown>[]> =>
  stage.database.asSuperuser(
    'SELECT state, tokens::int, cost::int, reserved_tokens::int FROM agents.model_call WHERE organization_id = $1 ORDER BY reserved_at, key',
    [organization.id],
  );

describe('usage', () => {
  test.each(['organization', 'agent', 'member'])(
    'of the %s equals the receipts of its calls',
    async (scope) => {
      expect((await ask()).status).toBe(201);
      const cost = 900 * 2 + 100 * 10;
      expect(await used(scope)).toMatchObject({ calls: 1, tokens: 1_000, cost, tokens_max: null });
      expect(await calls()).toMatchObject([{ state: 'received', tokens: 1_000, cost }]);
    },
  );

  test('of a call that failed is what was reserved, and of a refused one nothing', async () => {
    reply = () => ({ status: 500 });
    expect((await ask()).status).toBe(201);
    const [failed] = await calls();
    expect(failed).toMatchObject({ state: 'failed', tokens: failed?.['reserved_tokens'] });
    const before = await used('organization');
    reply = () => ({ status: 429 });
    await ask();
    expect((await calls()).at(-1)).toMatchObject({ state: 'refused', tokens: 0, cost: 0 });
    expect(await used('organization')).toMatchObject({ tokens: before?.['tokens'], cost: before?.['cost'] });
  });
});

describe('a budget', () => {
  test.each<[string, object]>([
    ['tokens of the organization', { tokens_max: 5_000 }],
    ['money of the organization', { cost_max: 15_000 }],
    ['tokens of every member', { scope: 'member', tokens_max: 5_000 }],
    ['tokens of every agent per month', { scope: 'agent', period: 'month', tokens_max: 5_000 }],
  ])('of %s has room for some calls, then answers 429 with the renewal time', async (_, budget) => {
    expect((await limit(budget)).status).toBe(200);
    const before = server.requests.length;
    const answers: Answer[] = [];
    while (answers.length < 8 && answers.at(-1)?.status !== 429) answers.push(await ask());
    const last = answers.at(-1)!;
    expectProblem(last, 429, 'budget_exhausted');
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect(last.text).toMatch(
      /The (?:daily|monthly) budget of the \w+ is used up\. It renews at 2026-1\d-\d\dT00:00:00/u,
    );
    expect(answers.length).toBeGreaterThan(1);
    expect(server.requests.length - before).toBe(answers.length - 1);
  });

  test('is never exceeded by parallel questions', async () => {
    await limit({ tokens_max: 12_000 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(201);
    expect(statuses).toContain(429);
    const usageNow = await used('organization');
    expect(Number(usageNow?.['tokens'])).toBe(1_000 * statuses.filter((status) => status === 201).length);
    expect(Number(usageNow?.['tokens'])).toBeLessThanOrEqual(12_000);
  });

  test('renews with its period', async () => {
    await limit({ period: 'minute', tokens_max: 4_500 });
    const first: number[] = [];
    while (first.length < 6 && first.at(-1) !== 429) first.push((await ask()).status);
    expect(first.at(-1)).toBe(429);
    stage.clock.advance({ seconds: 60 });
    expect((await ask()).status).toBe(201);
  });

  test('of a member replaces that of every member', async () => {
    const member = await organization.addMember('member');
    await limit({ scope: 'member', tokens_max: 0 });
    expectProblem(await ask(member), 429, 'budget_exhausted');
    await limit({ scope: 'member', subject: member.id, tokens_max: 1_000_000 });
    expect((await ask(member)).status).toBe(201);
    expectProblem(await ask(), 429, 'budget_exhausted');
  });

  test('is set by owners and admins only, and removed without limits', async () => {
    const member = await organization.addMember('member');
    expectProblem(await limit({ tokens_max: 1 }, member), 403, 'forbidden');
    await limit({ tokens_max: 1 });
    const read = async (): Promise<unknown> =>
      (await stage.send('GET', pathOf('agent-budgets/'), organization.owner.headers)).json();
    expect(await read()).toEqual([
      { scope: 'organization', subject: null, period: 'day', tokens_max: 1, cost_max: null },
    ]);
    await limit({});
    expect(await read()).toEqual([]);
  });

  test('without room for the second call leaves the sentences of the first', async () => {
    reply = () => ({
      text: 'Veltrane reported third-quarter revenue of $4.2 billion. [1]\nVeltrane sold Corvid. [1]',
      usage: { prompt_tokens: 4_400, completion_tokens: 100 },
    });
    await limit({ tokens_max: 5_000 });
    const answer = await ask();
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ by: 'model', usage: { input_tokens: 4_400 } });
  });
});

test('periods are those of the UTC calendar', () => {
  const parsed = parseIsoInstant('2026-12-31T23:59:59.500Z');
  const at = parsed.ok ? parsed.value : epochMicroseconds(0n);
  const shown = (period: 'minute' | 'day' | 'month'): string[] =>
    Object.values(periodAt(period, at)).map((moment) => isoMilliseconds(moment).slice(0, 16));
  expect(shown('minute')).toEqual(['2026-12-31T23:59', '2027-01-01T00:00']);
  expect(shown('day')).toEqual(['2026-12-31T00:00', '2027-01-01T00:00']);
  expect(shown('month')).toEqual(['2026-12-01T00:00', '2027-01-01T00:00']);
});
