import { randomBytes } from 'node:crypto';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { addSources } from '../../../apps/server/src/ingest/sources/add-sources.ts';
import { settingsFor } from '../../../apps/server/src/ingest/sources/source.ts';
import { createEditorDesk } from '../../../apps/server/src/newsroom/desk/editor-desk.ts';
import { deskJournal, deskPresets } from '../../../apps/server/src/newsroom/desk/index.ts';
import type { AccountsStage, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import { createRecordFactory, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { signInForCookie } from '../permissions/grant-invitations.ts';

export const people = ['reporter', 'editor', 'chief-editor', 'member', 'guest', 'owner of another'] as const;
export type DeskPerson = (typeof people)[number];

export interface SignedIn {
  readonly id: string;
  readonly username: string;
  readonly cookie: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The people of a newsroom, each with the ready-made policy of their name, through a group. */
export interface DeskStage {
  readonly key: string;
  readonly owner: SignedIn;
  readonly each: ReadonlyMap<DeskPerson, SignedIn>;
  readonly groupOf: ReadonlyMap<DeskPerson, number>;
  readonly organizationId: string;
  /** Credentials of programs that the owner made, with every permission. */
  readonly programs: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly itemId: string;
  readonly storyId: string;
  readonly storyItemId: string;
  readonly sourceId: string;
  /** A decision that has not been undone. */
  readonly decide: () => Promise<string>;
}

export const keyOf = ({ email }: StageAccount): string => email.replace(/@.*/, '');

export async function openDeskStage(
  stage: AccountsStage,
  port: number,
  [first, ...rest]: readonly StageAccount[],
): Promise<DeskStage> {
  const owner = await signIn(port, first as StageAccount);
  const key = owner.username;
  const { rows } = await stage.superuser.pool.query<{ id: string }>(
    'SELECT id FROM identity.organization WHERE key = $1',
    [key],
  );
  const organizationId = rows[0]?.id ?? '';
  const post = async (path: string, json: object): Promise<Record<string, unknown>> =>
    (await send(port, path, { json: { platform_key: key, ...json }, headers: owner.headers })).json();
  const each = new Map<DeskPerson, SignedIn>();
  const groupOf = new Map<DeskPerson, number>();
  for (const [at, name] of people.entries()) {
    const person = await signIn(port, rest[at] as StageAccount);
    each.set(name, person);
    if (name === 'owner of another') continue;
    await stage.superuser.pool.query(
      `INSERT INTO identity.organization_membership VALUES ($1, $2, $3, now())`,
      [organizationId, person.id, name === 'member' ? 'member' : 'guest'],
    );
    const preset = deskPresets.find(({ id }) => id === name);
    if (preset === undefined) continue;
    const root = `/organizations/${key}/newsroom`;
    const named = { name, actions: preset.actions, resources: [root, `${root}/**`] };
    const policy = await post('/dm/api/core/rbac/policies/', named);
    const group = { name, users_to_add: [person.username], policies_to_add: [policy['id']] };
    groupOf.set(name, Number((await post('/dm/api/core/rbac/groups/', group))['id']));
  }
  return {
    key,
    owner,
    each,
    groupOf,
    organizationId,
    programs: await programsOf(post, key),
    ...(await news(stage)),
  };
}

async function signIn(port: number, account: StageAccount): Promise<SignedIn> {
  const { access_token } = (await send(port, '/api/auth/token', { json: grantOf(account) })).json<{
    access_token: string;
  }>();
  return {
    id: account.id,
    username: keyOf(account),
    cookie: await signInForCookie(port, account),
    headers: { authorization: `Bearer ${access_token}` },
  };
}

async function programsOf(
  post: (path: string, json: object) => Promise<Record<string, unknown>>,
  key: string,
): Promise<DeskStage['programs']> {
  const programs = new Map<string, Readonly<Record<string, string>>>();
  const policy = await post('/dm/api/core/rbac/policies/', {
    name: 'everything',
    actions: ['Daybook.**'],
    resources: [`/organizations/${key}`, `/organizations/${key}/**`],
  });
  for (const mode of ['owner', 'token_policies']) {
    const created = new Date().toISOString();
    const asked = { username: key, name: mode, created, expires: '', mode };
    const more = mode === 'owner' ? {} : { policies_to_add: [policy['id']] };
    const made = await post('/dm/api/core/platform/api-tokens/', { ...asked, ...more });
    programs.set(`token in ${mode} mode`, { authorization: `Api-Token ${String(made['key'])}` });
  }
  return programs;
}

async function news({ identity: { database } }: AccountsStage) {
  const record = createRecordFactory({ database, clock: systemClock, randomBytes });
  const itemId = await record.publish();
  const itemIds = [await record.publish({ sourceName: 'One' }), await record.publish({ sourceName: 'Two' })];
  const { storyId } = valueOf(await record.publisher.openStory({ title: 'A model was released', itemIds }));
  const desk = createEditorDesk({
    database,
    clock: systemClock,
    publisher: record.publisher,
    language: 'en',
  });
  const decide = async (): Promise<string> => {
    const id = await record.publish();
    valueOf(await desk.selectItem({ itemId: id, reason: 'It matters.' }));
    const [entry] = await deskJournal.listJournal(database, { subject: id, countMax: 1 });
    return entry?.id ?? '';
  };
  const deps = { database, clock: systemClock, ids: record.ids, publisher: record.publisher };
  const settings = settingsFor(new URL('http://wire.example/feed'), { name: 'The Wire' });
  const [source] = await addSources(deps, [settings]);
  return { itemId, storyId, storyItemId: itemIds[1] as string, sourceId: source?.id ?? '', decide };
}
