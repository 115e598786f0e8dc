import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';

interface ShownAnswer {
  readonly id: string;
  readonly sentences: readonly {
    readonly text: string;
    readonly lang: string;
    readonly cites: readonly { readonly id: string; readonly start: number; readonly end: number }[];
  }[];
  readonly left_out: readonly { readonly reason: string }[];
  readonly sources: readonly { readonly title: string; readonly url: string }[];
}

const question = 'How much did Quendale spend on servers in October?';
const sentence = 'Quendale spent €1.7 million on servers in October.';
const filler = 'The committee met in the small room and approved the minutes of its last meeting.\n';

let stage: TestStorage;
let project: string;
let fileId: string;
let agent: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
  agent = await createAgent(stage.acme.owner);
  fileId = (
    await stage.newFile(project, 'memo.txt', `Memo about Quendale\n\n${filler.repeat(400)}${sentence}\n`)
  ).id;
  await derive();
});
afterAll(() => stage.stop());

async function derive(): Promise<void> {
  await stage.inspectAll();
  await stage.deriveAll();
}

const pathOf = ({ username }: TestMember): string =>
  `/dm/api/ai-mentor/orgs/${stage.acme.key}/users/${username}`;

let made = 0;
async function createAgent(owner: TestMember, settings: object = {}): Promise<string> {
  const body = { template_name: 'ai-mentor', new_mentor_name: `Librarian ${(made += 1)}` };
  const created = await stage.send('POST', `${pathOf(owner)}/mentor-with-settings/`, owner.headers, body);
  const id = String(created.json()['unique_id']);
  if (Object.keys(settings).length > 0) {
    const changed = await stage.send(
      'PATCH',
      `${pathOf(owner)}/mentors/${id}/settings/`,
      owner.headers,
      settings,
    );
    if (changed.status !== 200) throw new Error(changed.text);
  }
  return id;
}

const shown = (answer: Answer): ShownAnswer => answer.json() as unknown as ShownAnswer;
const askIn = async (member: TestMember, id = agent, asked = question): Promise<ShownAnswer> => {
  const path = `${pathOf(member)}/mentors/${id}/answers/`;
  return shown(await stage.send('POST', path, member.headers, { question: asked }));
};
const readAgain = async (member: TestMember, { id }: ShownAnswer): Promise<ShownAnswer> =>
  shown(await stage.send('GET', `${pathOf(member)}/mentors/${agent}/answers/${id}/`, member.headers));
const texts = ({ sentences }: ShownAnswer): readonly string[] => sentences.map(({ text }) => text);

/** A guest who can ask, and reads no file without a share. */
async function guestWhoAsks(): Promise<TestMember> {
  const guest = await stage.acme.addMember('guest');
  const { key, owner } = stage.acme;
  const agents = `/organizations/${key}/agents`;
  const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', owner.headers, {
    platform_key: key,
    name: `ask ${guest.username}`,
    actions: ['Daybook.Agents/Agents/read', 'Daybook.Agents/Answers/*'],
    resources: [agents, `${agents}/**`],
  });
  await stage.send('POST', '/dm/api/core/rbac/groups/', owner.headers, {
    platform_key: key,
    name: guest.username,
    users_to_add: [guest.username],
    policies_to_add: [policy.json()['id']],
  });
  stage.age();
  return guest;
}

describe('an answer from a file', () => {
  test('quotes the sentence with version and place, and links to the passage in its text', async () => {
    const { owner } = stage.acme;
    const answer = await askIn(owner);
    expect(texts(answer)).toEqual([sentence]);
    const [cite] = answer.sentences[0]!.cites;
    const start = 'memo.txt\nMemo about Quendale\n\n'.length + 400 * filler.length;
    expect(cite).toMatchObject({
      kind: 'file',
      id: fileId,
      version: 1,
      start,
      end: start + sentence.length,
    });
    const url = `/platform/${stage.acme.key}/files/${fileId}/text`;
    expect(answer.sources).toMatchObject([{ kind: 'file', title: 'memo.txt', publisher: null }]);
    expect(answer.sources[0]?.url).toContain(url);
    expect(await readAgain(owner, answer)).toEqual(answer);
  });

  test('stores the place and a hash, and no text of the file', async () => {
    const { id } = await askIn(stage.acme.owner);
    const [row] = await stage.database.asSuperuser('SELECT * FROM agents.answer WHERE id = $1', [id]);
    const stored = JSON.stringify(row);
    expect(stored).toContain(fileId);
    expect(stored).not.toContain('million');
    expect(stored).not.toContain('memo');
  });

  test('is given to a guest while a share lasts, and disappears from stored answers when it ends', async () => {
    const guest = await guestWhoAsks();
    expect(texts(await askIn(guest))).toEqual([]);
    const share = await stage.send('POST', `/api/v1/files/${fileId}/shares`, stage.owner, {
      member: guest.username,
      level: 'read',
    });
    stage.age();
    const answer = await askIn(guest);
    expect(texts(answer)).toEqual([sentence]);
    await stage.send('DELETE', `/api/v1/shares/${String(share.json()['id'])}`, stage.owner);
    stage.age();
    const later = await readAgain(guest, answer);
    expect(later).toMatchObject({ sentences: [], sources: [], left_out: [{ reason: 'unavailable' }] });
  });

  test('disappears while the file is in the trash', async () => {
    const { owner } = stage.acme;
    const answer = await askIn(owner);
    await stage.send('DELETE', `/api/v1/files/${fileId}`, stage.owner);
    expect(texts(await readAgain(owner, answer))).toEqual([]);
    expect(texts(await askIn(owner))).toEqual([]);
    await stage.send('POST', `/api/v1/files/${fileId}/restore`, stage.owner, {});
    expect(texts(await readAgain(owner, answer))).toEqual([sentence]);
  });

  test('follows the sentence to another version, and is left out as changed without it', async () => {
    const { owner } = stage.acme;
    const replace = async (text: string): Promise<void> => {
      const answer = await stage.store(project, 'name=costs.txt&ifTaken=version', text);
      expect(answer.status).toBe(201);
      await derive();
    };
    const first = 'Harrowgate paid €3.1 million for chips in May.';
    await replace(`Costs of Harrowgate\n${first}\n`);
    const asked = 'How much did Harrowgate pay for chips in May?';
    const answer = await askIn(owner, agent, asked);
    expect(texts(answer)).toEqual([first]);
    await replace(`Costs of Harrowgate, revised\nAn introduction.\n${first}\n`);
    const moved = await readAgain(owner, answer);
    expect(moved.sentences[0]).toMatchObject({ text: first, cites: [{ version: 2 }] });
    expect(moved.sentences[0]?.cites[0]?.start).toBeGreaterThan(answer.sentences[0]!.cites[0]!.start);
    await replace('Costs of Harrowgate\nHarrowgate paid €2.9 million for chips in May.\n');
    expect(await readAgain(owner, answer)).toMatchObject({
      sentences: [],
      left_out: [{ reason: 'changed' }],
    });
  });

  test('comes only from the sources and projects of the agent', async () => {
    const { owner } = stage.acme;
    const other = (await stage.newProject()).id;
    const answersOf = async (settings: object): Promise<readonly string[]> =>
      texts(await askIn(owner, await createAgent(owner, settings)));
    expect(await answersOf({ sources: ['news'] })).toEqual([]);
    expect(await answersOf({ sources: ['files'], file_projects: [other] })).toEqual([]);
    expect(await answersOf({ sources: ['files'], file_projects: [other, project] })).toEqual([sentence]);
    expect(await answersOf({ sources: [] })).toEqual([]);
  });

  test('is not given in another organization', async () => {
    const stranger = await stage.createOrganization();
    const path = `/dm/api/ai-mentor/orgs/${stranger.key}/users/${stranger.owner.username}`;
    const body = { template_name: 'ai-mentor', new_mentor_name: 'Own' };
    const own = await stage.send('POST', `${path}/mentor-with-settings/`, stranger.owner.headers, body);
    const id = String(own.json()['unique_id']);
    const settings = { file_projects: [project] };
    await stage.send('PATCH', `${path}/mentors/${id}/settings/`, stranger.owner.headers, settings);
    const asked = await stage.send('POST', `${path}/mentors/${id}/answers/`, stranger.owner.headers, {
      question,
    });
    expect([asked.status, texts(shown(asked))]).toEqual([201, []]);
    const foreign = `${pathOf(stage.acme.owner)}/mentors/${agent}/answers/`;
    expectProblem(await stage.send('POST', foreign, stranger.owner.headers, { question }), 404, 'not_found');
  });
});
