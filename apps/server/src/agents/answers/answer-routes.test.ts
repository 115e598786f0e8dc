import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { Id } from '../../foundation/ids.ts';
import { removeExpiredAnswers } from './answer-store.ts';

interface ShownAnswer {
  readonly id: string;
  readonly answered: boolean;
  readonly follows: string | null;
  readonly sentences: readonly {
    readonly text: string;
    readonly lang: string | null;
    readonly cites: readonly {
      readonly id: string;
      readonly quote: string;
      readonly start: number;
      readonly end: number;
    }[];
  }[];
  readonly left_out: readonly { readonly reason: string; readonly text: string | null }[];
  readonly sources: readonly { readonly id: string; readonly title: string; readonly publisher: string }[];
  readonly contradictions: readonly { readonly sentences: readonly number[] }[];
}

const question = "What was Veltrane's third-quarter revenue?";
const title = 'Veltrane reports third-quarter results';
const summary =
  'Veltrane reported third-quarter revenue of $4.2 billion on Thursday. The company employs 8,400 people.';

let stage: TestAccess;
let record: ReturnType<typeof createRecordFactory>;
let organization: TestOrganization;
let owner: TestMember;
let agentId: string;
let itemId: Id<'item'>;
beforeAll(async () => {
  stage = await startTestAccess();
  record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  organization = await stage.createOrganization();
  ({ owner } = organization);
  agentId = await createAgent('ai-mentor');
  itemId = await record.publish({ title, summary, originalUrl: 'https://wire.example/veltrane' });
  await record.publish({
    title: 'Corvid opens a battery plant in Leeds',
    summary: 'Corvid opened a battery plant in Leeds. It will employ 1,900 people.',
    originalUrl: 'https://wire.example/corvid',
  });
});
afterAll(() => stage.stop());

const memberPath = ({ username }: TestMember, { key } = organization): string =>
  `/dm/api/ai-mentor/orgs/${key}/users/${username}/`;
const answersPath = (id = agentId, member = owner): string => `${memberPath(member)}mentors/${id}/answers/`;

let named = 0;
async function createAgent(template_name: string): Promise<string> {
  named += 1;
  const body = { template_name, new_mentor_name: `Researcher ${named}` };
  const made = await stage.send('POST', `${memberPath(owner)}mentor-with-settings/`, owner.headers, body);
  return String(made.json()['unique_id']);
}

const askAgent = (body: object, member = owner, path = answersPath(agentId, member)): Promise<Answer> =>
  stage.send('POST', path, member.headers, body);
const shown = (answer: Answer): ShownAnswer => answer.json() as unknown as ShownAnswer;
const readAgain = async (id: string): Promise<ShownAnswer> =>
  shown(await stage.send('GET', `${answersPath()}${id}/`, owner.headers));

describe('an answer', () => {
  test('quotes the sentence of the record that answers the question, with its place in the source', async () => {
    const asked = await askAgent({ question });
    expect(asked.status).toBe(201);
    const answer = shown(asked);
    expect(answer.answered).toBe(true);
    const [sentence] = answer.sentences;
    expect(sentence).toMatchObject({
      text: 'Veltrane reported third-quarter revenue of $4.2 billion on Thursday.',
      lang: 'en',
    });
    const [cite] = sentence!.cites;
    expect(cite).toMatchObject({ kind: 'item', id: itemId, quote: sentence!.text });
    expect(`${title}\n${summary}`.slice(cite!.start, cite!.end)).toBe(cite!.quote);
    expect(answer.sources).toMatchObject([{ kind: 'item', id: itemId, title, publisher: 'The Wire' }]);
  });

  test('has no sentence and names the question if the record does not say it', async () => {
    const unknown = 'Who won the marathon in Osaka?';
    const answer = shown(await askAgent({ question: unknown }));
    expect(answer).toMatchObject({ answered: false, sentences: [], sources: [] });
    expect(answer.left_out).toEqual([{ reason: 'unanswered', text: unknown, kinds: [] }]);
  });

  test('reads a follow-up with the question before it', async () => {
    const first = shown(await askAgent({ question }));
    const next = shown(await askAgent({ question: 'How many people does it employ?', follows: first.id }));
    expect(next.follows).toBe(first.id);
    expect(next.sentences.map(({ text }) => text).join('\n')).toContain('8,400');
    expectProblem(await askAgent({ question, follows: agentId }), 404, 'not_found');
  });

  test('reads a later follow-up with what the first question names', async () => {
    const first = shown(await askAgent({ question: 'Where did Corvid open a battery plant?' }));
    const second = shown(await askAgent({ question: 'And when?', follows: first.id }));
    const third = { question: 'How many people does it employ?', follows: second.id };
    const texts = shown(await askAgent(third)).sentences.map(({ text }) => text);
    expect(texts).toEqual(['It will employ 1,900 people.']);
  });

  test('is sent as events of its sentences to clients that accept them', async () => {
    const headers = { ...owner.headers, accept: 'text/event-stream' };
    const sent = await stage.send('POST', answersPath(), headers, { question });
    expect([sent.status, sent.headers['content-type']]).toEqual([200, 'text/event-stream']);
    const events = sent.text
      .trim()
      .split('\n\n')
      .map((event) => event.split('\n')[0]);
    expect(events).toEqual(['event: sentence', 'event: answer']);
    expect(sent.text).toContain('$4.2 billion');
  });

  test('quotes nothing of the record if the template of the agent does not read it', async () => {
    const template = {
      name: 'no-news',
      description: '',
      system_prompt: '',
      llm_provider: 'default',
      categories: ['writing'],
      reads_public_record: false,
    };
    await stage.send('POST', `${memberPath(owner)}templates/`, owner.headers, template);
    const closed = await createAgent('no-news');
    expect(shown(await askAgent({ question }, owner, answersPath(closed))).sentences).toEqual([]);
    const { id } = shown(await askAgent({ question }));
    const settings = `${memberPath(owner)}mentors/${agentId}/settings/`;
    await stage.send('PATCH', settings, owner.headers, { template_name: 'no-news' });
    expect(await readAgain(id)).toMatchObject({
      answered: false,
      left_out: [{ reason: 'unavailable', text: null }],
    });
    await stage.send('PATCH', settings, owner.headers, { template_name: 'ai-mentor' });
    expect((await readAgain(id)).answered).toBe(true);
  });
});

describe('a stored answer', () => {
  test('contains no text of a source, and none after the source is withdrawn', async () => {
    const secret = 'Hollin Systems agreed to buy Marrowgate for $930 million.';
    const withdrawn = await record.publish({ title: 'Hollin Systems buys Marrowgate', summary: secret });
    const asked = shown(
      await askAgent({ question: 'For how much did Hollin Systems agree to buy Marrowgate?' }),
    );
    expect(asked.sentences.map(({ text }) => text)).toContain(secret);
    const rows = await stage.database.asSuperuser('SELECT to_json(answer)::text AS row FROM agents.answer');
    expect(rows.map(({ row }) => String(row)).join('\n')).not.toContain('930 million');
    valueOf(await record.publisher.withdrawItem({ itemId: withdrawn, reason: 'It is wrong.' }));
    const again = await readAgain(asked.id);
    expect(JSON.stringify(again)).not.toContain('930 million');
    expect(again.left_out).toContainEqual({ reason: 'unavailable', text: null, kinds: [] });
  });

  test('is listed newest first with cursors, and deleted', async () => {
    const own = await createAgent('ai-mentor');
    const ids: string[] = [];
    for (const text of ['One?', 'Two?', 'Three?']) {
      stage.clock.advance({ milliseconds: 1 });
      ids.push(shown(await askAgent({ question: text }, owner, answersPath(own))).id);
    }
    const list = async (query: string) =>
      (await stage.send('GET', `${answersPath(own)}?${query}`, owner.headers)).json() as {
        data: { id: string }[];
        pagination: { nextCursor: string };
      };
    const first = await list('limit=2');
    expect(first.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const second = await list(`limit=2&cursor=${first.pagination.nextCursor}`);
    expect(second.data.map(({ id }) => id)).toEqual([ids[0]]);
    const path = `${answersPath(own)}${ids[0]!}/`;
    expect((await stage.send('DELETE', path, owner.headers)).status).toBe(204);
    expectProblem(await stage.send('GET', path, owner.headers), 404, 'not_found');
  });

  test('an agent stores the last thousand answers to a member', async () => {
    const own = await createAgent('ai-mentor');
    const first = shown(await askAgent({ question }, owner, answersPath(own)));
    const stored = async (): Promise<readonly unknown[]> => {
      const rows = await stage.database.asSuperuser(
        'SELECT id FROM agents.answer WHERE agent_id = $1 ORDER BY created_at, id',
        [own],
      );
      return rows.map(({ id }) => id);
    };
    await stage.database.asSuperuser(
      `INSERT INTO agents.answer
       SELECT (jsonb_populate_record(answer, jsonb_build_object('id', gen_random_uuid(), 'created_at', created_at + interval '1 ms'))).*
       FROM agents.answer CROSS JOIN generate_series(1, 999) WHERE id = $1`,
      [first.id],
    );
    expect((await stored()).length).toBe(1_000);
    stage.clock.advance({ milliseconds: 2 });
    const last = shown(await askAgent({ question }, owner, answersPath(own)));
    const ids = await stored();
    expect([ids.length, ids.includes(first.id), ids.includes(last.id)]).toEqual([1_000, false, true]);
  });

  test('is deleted after the days that the organization has chosen', async () => {
    const other = await stage.createOrganization();
    const path = memberPath(other.owner, other);
    expect((await stage.send('GET', `${path}answer-retention/`, other.owner.headers)).json()).toEqual({
      keep_days: 90,
    });
    const body = { template_name: 'ai-mentor', new_mentor_name: 'Short memory' };
    const made = await stage.send('POST', `${path}mentor-with-settings/`, other.owner.headers, body);
    const answers = `${path}mentors/${String(made.json()['unique_id'])}/answers/`;
    await stage.send('POST', answers, other.owner.headers, { question });
    const set = await stage.send('PUT', `${path}answer-retention/`, other.owner.headers, { keep_days: 2 });
    expect(set.json()).toEqual({ keep_days: 2 });
    const listed = async (): Promise<number> =>
      ((await stage.send('GET', answers, other.owner.headers)).json() as { data: object[] }).data.length;
    const { database } = stage.database;
    await removeExpiredAnswers(database, stage.clock.now());
    expect(await listed()).toBe(1);
    stage.clock.advance({ hours: 49 });
    await removeExpiredAnswers(database, stage.clock.now());
    const [{ count } = { count: 0 }] = await stage.database.asSuperuser(
      'SELECT count(*)::int AS count FROM agents.answer WHERE organization_id = $1',
      [other.id],
    );
    expect(count).toBe(0);
  });
});

test('deletions of answers and changes of the retention are in the activity of the member', async () => {
  const member = await organization.addMember('owner');
  const { id } = shown(await askAgent({ question }, member));
  const path = `${answersPath(agentId, member)}${id}/`;
  expect((await stage.send('DELETE', path, member.headers)).status).toBe(204);
  const retention = `${memberPath(member)}answer-retention/`;
  expect((await stage.send('PUT', retention, member.headers, { keep_days: 91 })).status).toBe(200);
  const events = await stage.database.asSuperuser(
    'SELECT kind, detail FROM audit.event WHERE account_id = $1 AND detail <> $2 ORDER BY id',
    [member.id, '{}'],
  );
  expect(events).toContainEqual({
    kind: 'answer_deleted',
    detail: expect.objectContaining({ answerId: id, username: member.username }) as unknown,
  });
  expect(events).toContainEqual({
    kind: 'answer_retention_changed',
    detail: expect.objectContaining({ days: '91' }) as unknown,
  });
});

test('the answers of a member require the permissions of the member', async () => {
  const [asker, admin] = [await organization.addMember('owner'), await organization.addMember('admin')];
  const { id } = shown(await askAgent({ question }, asker));
  const path = `${answersPath(agentId, asker)}${id}/`;
  expectProblem(await stage.send('GET', path, admin.headers), 403, 'forbidden');
  expectProblem(await stage.send('DELETE', path, admin.headers), 403, 'forbidden');
  expect((await stage.send('GET', path, asker.headers)).status).toBe(200);
});

test('the answers of a member who has left the organization are deleted, and no others', async () => {
  const member = await organization.addMember('owner');
  const { id } = shown(await askAgent({ question }, member));
  const colleague = await organization.addMember('owner');
  const own = shown(await askAgent({ question }, colleague));
  const { database } = stage.database;
  const stored = async (): Promise<readonly unknown[]> => {
    await removeExpiredAnswers(database, stage.clock.now());
    const rows = await database
      .selectFrom('agents.answer')
      .select('id')
      .where('id', 'in', [id, own.id])
      .execute();
    return rows.map((row) => row.id).sort();
  };
  expect(await stored()).toEqual([id, own.id].sort());
  const path = `/dm/api/core/rbac/members/${member.username}?platform_key=${organization.key}`;
  expect((await stage.send('DELETE', path, colleague.headers)).status).toBe(204);
  expect(await stored()).toEqual([own.id]);
});

describe('permissions', () => {
  test('lets viewers read and refuses their questions, deletions and changes of the retention', async () => {
    const fresh = await organization.addMember('viewer');
    expectProblem(await askAgent({ question }, fresh), 403, 'forbidden');
    expect((await stage.send('GET', answersPath(agentId, fresh), fresh.headers)).status).toBe(200);
    const retention = `${memberPath(fresh)}answer-retention/`;
    expectProblem(await stage.send('PUT', retention, fresh.headers, { keep_days: 1 }), 403, 'forbidden');
  });

  test('hides the answers of a member from other members and from other organizations', async () => {
    const colleague = await organization.addMember('member');
    const asker = await organization.addMember('owner');
    const { id } = shown(await askAgent({ question }, asker));
    const path = `${answersPath(agentId, colleague)}${id}/`;
    expectProblem(await stage.send('GET', path, colleague.headers), 404, 'not_found');
    expectProblem(
      await stage.send('GET', `${answersPath(agentId, asker)}${id}/`, colleague.headers),
      403,
      'forbidden',
    );
    const stranger = await stage.createOrganization();
    const foreign = `${memberPath(stranger.owner, stranger)}mentors/${agentId}/answers/`;
    expectProblem(await askAgent({ question }, stranger.owner, foreign), 404, 'not_found');
    expectProblem(await askAgent({ question }, stranger.owner, answersPath()), 404, 'not_found');
    expectProblem(await stage.send('POST', answersPath(), {}, { question }), 401, 'unauthenticated');
  });

  test.each([{}, { question: '' }, { question: '  ' }, { question: 'x'.repeat(2_001) }])(
    'refuses %j with 400',
    async (body) => {
      const member = await organization.addMember('member');
      expectProblem(await askAgent(body, member), 400, 'invalid_request');
    },
  );
});
