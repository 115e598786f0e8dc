import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { answerSourcesOf, openTestAnswerModels } from '../../../test/answer-models.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Answer } from '../../../test/http-client.ts';
import type { ModelServer, ModelServerReply, ModelServerRequest } from '../../../test/model-server.ts';
import { openModelServer } from '../../../test/model-server.ts';
import type { Id } from '../../foundation/ids.ts';
import { removeWithdrawnText } from './remove-withdrawn-text.ts';

interface ShownAnswer {
  readonly id: string;
  readonly by: string;
  readonly model: { readonly provider: string; readonly outcome: string } | null;
  readonly sentences: readonly {
    readonly text: string;
    readonly lang: string | null;
    readonly cites: readonly { readonly id: string; readonly quote: string }[];
  }[];
  readonly left_out: readonly { readonly reason: string; readonly kinds: readonly string[] }[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

interface ShownPassage {
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

const question = "What was Veltrane's third-quarter revenue?";
const title = 'Veltrane reports third-quarter results';
const quoted = 'Veltrane reported third-quarter revenue of $4.2 billion on Thursday, up 12 percent.';
const summary = `${quoted} The company employs 8,400 people.`;
const short = 'Veltrane reported third-quarter revenue of $4.2 billion.';

let server: ModelServer;
let reply: (passages: readonly ShownPassage[], nth: number, request: ModelServerRequest) => ModelServerReply;
let calls = 0;
let stage: TestAccess;
let record: ReturnType<typeof createRecordFactory>;
let organization: TestOrganization;
let owner: TestMember;
let agentId: string;
let itemId: Id<'item'>;

beforeAll(async () => {
  server = await openModelServer((request) => {
    const content = JSON.parse(String(request.body.messages[1]?.content)) as { passages: ShownPassage[] };
    calls += 1;
    return reply(content.passages, calls, request);
  });
  stage = await startTestAccess({
    answerModels: (database) =>
      openTestAnswerModels(
        database,
        { url: server.url },
        { name: 'impatient', url: server.url, timeoutSeconds: 1 },
      ),
  });
  record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  organization = await stage.createOrganization();
  ({ owner } = organization);
  agentId = await createAgent('default');
  itemId = await record.publish({ title, summary, originalUrl: 'https://wire.example/veltrane' });
  await record.publish({
    title: 'Corvid opens a battery plant in Leeds',
    summary: 'Corvid opened a battery plant in Leeds. It will employ 1,900 people.',
    originalUrl: 'https://wire.example/corvid',
  });
});
afterAll(async () => {
  await stage.stop();
  await server.close();
});
beforeEach(() => {
  calls = 0;
  reply = () => ({ text: '' });
});

const memberPath = `/dm/api/ai-mentor/orgs/`;
const pathOf = (rest: string): string => `${memberPath}${organization.key}/users/${owner.username}/${rest}`;
const answersPath = (id = agentId): string => pathOf(`mentors/${id}/answers/`);

let named = 0;
async function createAgent(llm_provider: string): Promise<string> {
  named += 1;
  const body = { template_name: 'ai-mentor', new_mentor_name: `Writer ${named}`, llm_provider };
  const made = await stage.send('POST', pathOf('mentor-with-settings/'), owner.headers, body);
  return String(made.json()['unique_id']);
}

const ask = (id = agentId, headers = {}): Promise<Answer> =>
  stage.send('POST', answersPath(id), { ...owner.headers, ...headers }, { question });
const shown = (answer: Answer): ShownAnswer => answer.json() as unknown as ShownAnswer;
const numberOf = (passages: readonly ShownPassage[], one = title): number =>
  passages.find((passage) => passage.title === one)?.number ?? 0;
/** A model that writes these sentences, each with the passage about the question. */
const writes = (...sentences: readonly string[]) => {
  reply = (passages) => ({ text: sentences.map((one) => `${one} [${numberOf(passages)}]`).join('\n') });
};

describe('an answer with a model', () => {
  test('has the sentences of the model, each with the sentences of the source that support it', async () => {
    writes(short, 'Veltrane employs 8,400 people.');
    const answer = shown(await ask());
    expect(answer.by).toBe('model');
    expect(answer.model).toEqual({ provider: 'default', outcome: 'wrote' });
    expect(answer.sentences.map(({ text }) => text)).toEqual([short, 'Veltrane employs 8,400 people.']);
    expect(answer.sentences[0]?.cites).toMatchObject([{ kind: 'item', id: itemId, quote: quoted }]);
    expect(answer.left_out).toEqual([]);
    expect(answer.usage).toEqual({ input_tokens: 7, output_tokens: 3 });
    const again = shown(await stage.send('GET', `${answersPath()}${answer.id}/`, owner.headers));
    expect(again).toEqual(answer);
  });

  test('asks once more for unsupported sentences, then leaves them out and counts them', async () => {
    const invented = 'Veltrane reported third-quarter revenue of $4.7 billion.';
    writes(short, invented, 'Veltrane bought Corvid.');
    const answer = shown(await ask());
    expect(calls).toBe(2);
    expect(answer.sentences.map(({ text }) => text)).toEqual([short]);
    expect(answer.left_out.map(({ reason }) => reason)).toEqual(['unsupported', 'unsupported']);
    expect(answer.left_out[0]?.kinds).toContain('number');
    expect(answer.usage).toEqual({ input_tokens: 14, output_tokens: 6 });
    const prompt = JSON.parse(String(server.requests.at(-1)?.body.messages[1]?.content)) as {
      findings: { sentence: string }[];
    };
    expect(prompt.findings.map(({ sentence }) => sentence)).toEqual([invented, 'Veltrane bought Corvid.']);
  });

  test('contains a corrected sentence, and counts nothing then', async () => {
    reply = (passages, nth) => ({
      text: `${nth === 1 ? 'Veltrane reported revenue of $9 billion.' : short} [${numberOf(passages)}]`,
    });
    const answer = shown(await ask());
    expect(answer.sentences.map(({ text }) => text)).toEqual([short]);
    expect(answer.left_out).toEqual([]);
  });

  test.each([
    ['without a citation', () => short],
    [
      'that cites another passage',
      (passages: readonly ShownPassage[]) => `${short} [${numberOf(passages) + 50}]`,
    ],
    [
      'with an address',
      (passages: readonly ShownPassage[]) => `${short} https://evil.example [${numberOf(passages)}]`,
    ],
    [
      'in another language',
      (passages: readonly ShownPassage[]) => `Veltrane 第三季度营收为 42 亿美元。[${numberOf(passages)}]`,
    ],
  ])('contains no sentence %s, and quotes instead', async (_, line) => {
    reply = (passages) => ({ text: line(passages) });
    const answer = shown(await ask());
    expect(answer).toMatchObject({ by: 'extract', model: { outcome: 'stopped' } });
    expect(answer.sentences.map(({ text }) => text)).toContain(quoted);
  });

  test.each<[string, string, () => ModelServerReply]>([
    ['fails', 'failed', () => ({ status: 500 })],
    ['finds no answer', 'silent', () => ({ text: 'NONE' })],
    ['sends something else', 'stopped', () => ({ text: '{"error": "no"}' })],
  ])('quotes and says so if the model %s', async (_, outcome, fault) => {
    reply = fault;
    const answer = shown(await ask());
    expect(answer).toMatchObject({ by: 'extract', model: { provider: 'default', outcome } });
    expect(answer.sentences.map(({ text }) => text)).toContain(quoted);
  });

  test('quotes and says so if the model is too slow', async () => {
    reply = () => ({ hang: true });
    const answer = shown(await ask(await createAgent('impatient')));
    expect(answer).toMatchObject({ by: 'extract', model: { provider: 'impatient', outcome: 'slow' } });
  });

  test('keeps the checked sentences if the model breaks off', async () => {
    reply = (passages) => ({
      pieces: (function* () {
        yield `${short} [${numberOf(passages)}]\nVeltrane emp`;
        throw new Error('breaks off');
      })(),
    });
    const answer = shown(await ask());
    expect(answer).toMatchObject({ by: 'model', model: { outcome: 'wrote' } });
    expect(answer.sentences.map(({ text }) => text)).toEqual([short]);
  });

  test('quotes and says so if the provider of the agent is not configured', async () => {
    const answer = shown(await ask(await createAgent('unknown')));
    expect(answer).toMatchObject({ by: 'extract', model: { provider: 'unknown', outcome: 'missing' } });
    expect(calls).toBe(0);
  });

  test('pays once for a repeated request and returns the same answer', async () => {
    writes(short);
    const headers = { 'idempotency-key': 'question-1' };
    const first = shown(await ask(agentId, headers));
    const [second, third] = await Promise.all([ask(agentId, headers), ask(agentId, headers)]);
    expect([shown(second), shown(third)]).toEqual([first, first]);
    expect(calls).toBe(1);
  });

  test('sends no credentials, names of members or addresses to the model', async () => {
    writes(short);
    await ask();
    const { body, headers } = server.requests.at(-1)!;
    const sent = JSON.stringify(body);
    for (const secret of [
      owner.headers['authorization']!.slice(7),
      owner.username,
      owner.email,
      'wire.example',
    ])
      expect(sent).not.toContain(secret);
    expect(Object.keys(headers)).not.toContain('cookie');
    expect(sent).not.toContain('"tools"');
  });
});

describe('words of a model', () => {
  test('disappear with a withdrawal at once, and from the table within the hour', async () => {
    const sold = 'Hollin Systems agreed to buy Marrowgate for $930 million on Friday.';
    const withdrawn = await record.publish({ title: 'Hollin Systems buys Marrowgate', summary: sold });
    reply = (passages) => ({
      text: `Hollin Systems agreed to buy Marrowgate for $930 million. [${numberOf(passages, 'Hollin Systems buys Marrowgate')}]`,
    });
    const body = { question: 'For how much did Hollin Systems agree to buy Marrowgate?' };
    const asked = shown(await stage.send('POST', answersPath(), owner.headers, body));
    expect(asked.by).toBe('model');
    valueOf(await record.publisher.withdrawItem({ itemId: withdrawn, reason: 'It is wrong.' }));
    const again = await stage.send('GET', `${answersPath()}${asked.id}/`, owner.headers);
    expect(again.text).not.toContain('930 million');
    expect(shown(again).left_out).toContainEqual({ reason: 'unavailable', text: null, kinds: [] });
    const { database } = stage.database;
    const answerSources = answerSourcesOf(stage);
    expect(await removeWithdrawnText({ database, answerSources })).toBe(1);
    expect(await removeWithdrawnText({ database, answerSources })).toBe(0);
    const tables = ['agents.answer', 'foundation.paid_call'];
    for (const table of tables) {
      const rows = await stage.database.asSuperuser(`SELECT to_json(one)::text AS row FROM ${table} AS one`);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ row }) => String(row)).join('\n')).not.toContain('930 million');
    }
  });
});

describe('a stream', () => {
  const stream = () =>
    fetch(`http://127.0.0.1:${stage.app.port}${answersPath()}`, {
      method: 'POST',
      headers: { ...owner.headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ question }),
    });

  test('contains each sentence as soon as it is checked, while the model still writes', async () => {
    const more = Promise.withResolvers<void>();
    reply = (passages) => ({
      pieces: (async function* () {
        yield `${short} [${numberOf(passages)}]\n`;
        await more.promise;
        yield `Veltrane employs 8,400 people. [${numberOf(passages)}]`;
      })(),
    });
    const response = await stream();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    expect(first.value).toContain(short);
    more.resolve();
    let rest = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) rest += piece.value;
    expect(rest.match(/^event: \w+/gmu)).toEqual(['event: sentence', 'event: answer']);
  });

  test('ends the call of the model when the client leaves, and stores no answer', async () => {
    const count = async (): Promise<number> => {
      const [row] = await stage.database.asSuperuser('SELECT count(*)::int AS count FROM agents.answer');
      return Number(row?.['count']);
    };
    const before = await count();
    const abandoned = server.abandoned();
    reply = (passages) => ({
      pieces: (async function* () {
        yield `${short} [${numberOf(passages)}]\n`;
        await new Promise(() => {});
      })(),
    });
    const response = await stream();
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => server.abandoned()).toBe(abandoned + 1);
    expect(await count()).toBe(before);
  });
});
