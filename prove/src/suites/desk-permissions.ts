import type { Suite, SuiteContext } from '@daybook/evidence';

import type { AccountsProcess, AccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import { watchRevocation } from '../http/revocation-watch.ts';
import type { DeskPerson, DeskStage, SignedIn } from '../newsroom/desk-people.ts';
import { keyOf, openDeskStage, people } from '../newsroom/desk-people.ts';

type Least = 'reader' | 'reporter' | 'editor' | 'chief-editor';

/** Who may use each page and form: the least of the ready-made policies. Members of the organization read. */
const routes: readonly (readonly [method: 'GET' | 'POST', path: string, least: Least])[] = [
  ['GET', '/desk', 'reader'],
  ['GET', '/desk/items', 'reader'],
  ['GET', '/desk/items/{item}', 'reader'],
  ['GET', '/desk/stories', 'reader'],
  ['GET', '/desk/stories/{story}', 'reader'],
  ['GET', '/desk/journal', 'reader'],
  ['GET', '/desk/items/{item}/withdraw', 'chief-editor'],
  ['POST', '/desk/items/{item}/correct', 'reporter'],
  ['POST', '/desk/items/{item}/select', 'editor'],
  ['POST', '/desk/items/{item}/unselect', 'editor'],
  ['POST', '/desk/items/{item}/withdraw', 'chief-editor'],
  ['POST', '/desk/stories/{story}/retitle', 'editor'],
  ['POST', '/desk/stories/{story}/split', 'editor'],
  ['POST', '/desk/stories/{story}/merge', 'editor'],
  ['POST', '/desk/stories/{story}/digest', 'editor'],
  ['POST', '/desk/stories/merge', 'editor'],
  ...(['items/{item}', 'stories/{story}/retitle', 'stories/{story}/digest'] as const).map(
    (form) => ['POST', `/desk/${form}/check`, 'reader'] as const,
  ),
  ['POST', '/desk/presence', 'reader'],
  ['POST', '/desk/journal/{entry}/undo', 'editor'],
  ['GET', '/desk/editions', 'reader'],
  ['GET', '/desk/editions/{draft}', 'reader'],
  ...(['drop', 'add', 'pin', 'move', 'rewrite', 'note', 'preview', 'end-previews'] as const).map(
    (action) => ['POST', `/desk/editions/{draft}/${action}`, 'editor'] as const,
  ),
  ...(['rewrite', 'note'] as const).map(
    (form) => ['POST', `/desk/editions/{draft}/${form}/check`, 'reader'] as const,
  ),
  ['GET', '/desk/sources', 'reader'],
  ['GET', '/desk/sources/export', 'reader'],
  ['GET', '/desk/sources/{source}', 'reader'],
  ['GET', '/desk/sources/new', 'chief-editor'],
  ...(['pause', 'resume', 'tier', 'holds', 'owner', 'test'] as const).map(
    (action) => ['POST', `/desk/sources/{source}/${action}`, 'editor'] as const,
  ),
  ...(['find', 'add', 'import'] as const).map(
    (action) => ['POST', `/desk/sources/${action}`, 'chief-editor'] as const,
  ),
  ...(['accept', 'reject', 'hold', 'release', 'drop'] as const).map(
    (action) => ['POST', `/desk/entries/{item}/${action}`, 'editor'] as const,
  ),
  ['POST', '/desk/queue/grouping/{item}/dismiss', 'editor'],
  ['POST', '/desk/bulk', 'editor'],
  ['GET', '/desk/operations', 'reader'],
];

const ranks: Readonly<Record<DeskPerson, number>> = {
  guest: -1,
  'owner of another': -1,
  member: 0,
  reporter: 1,
  editor: 2,
  'chief-editor': 3,
};
const needed: Readonly<Record<Least, number>> = { reader: 0, reporter: 1, editor: 2, 'chief-editor': 3 };

export const suite: Suite = {
  name: 'desk-permissions',
  summary:
    'Every page and form of the desk accepts exactly the people of the table, and the end of a duty, a role or a session within a second.',
  promise:
    'Reporter, editor, chief editor, plain member, guest, owner of another organization, a visitor without a session and platform tokens of both modes with every permission use every page and form of the desk: none is accepted beyond the table. The end of a membership in a group, a removed role and an ended session are effective on three processes within one second.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const accounts = await stage.createAccounts(1 + people.length);
      const settings = {
        DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
        DAYBOOK_LOG_LEVEL: 'error',
        DAYBOOK_NEWSROOM_ORGANIZATION: keyOf(accounts[0] ?? raise()),
      };
      const processes = await Promise.all(
        [1, 2, 3].map(() => stage.start({ settings, signInsUnlimited: true })),
      );
      const desk = await openDeskStage(stage, processes[0]?.port ?? 0, accounts);
      await everyRoute(context, desk, processes[0]?.port ?? 0);
      await revocations(context, stage, desk, processes);
    } finally {
      await stage.stop();
    }
  },
};

/** Every request is one that an accepted decision would refuse for another reason, so that the next is the same. */
async function ask(
  port: number,
  desk: DeskStage,
  [method, path]: (typeof routes)[number],
  headers: Readonly<Record<string, string>>,
) {
  const address = path
    .replace('{item}', desk.itemId)
    .replace('{story}', desk.storyId)
    .replace('{source}', desk.sourceId)
    // No draft of that day is open.
    .replace('{draft}', 'daily/2020-01-01')
    .replace('{entry}', path.includes('{entry}') ? await desk.decide() : '');
  if (method === 'GET') return send(port, address, { headers });
  const sameOrigin = { ...headers, 'sec-fetch-site': 'same-origin' };
  if (path.endsWith('/import'))
    return send(port, address, { multipart: { reason: '' }, headers: sameOrigin });
  return send(port, address, { form: fieldsOf(path, desk), headers: sameOrigin });
}

/** The fields that a form requires. Sources and their changes have no reason, so that they are refused. */
function fieldsOf(path: string, desk: DeskStage): Readonly<Record<string, string>> {
  const title = 'A model was released';
  if (path.endsWith('/bulk')) return { kind: 'grouping', action: 'accept' };
  if (path.endsWith('/presence')) return { subject: `item ${desk.itemId}`, editing: '0' };
  if (path.includes('/digest')) return { language: 'en' };
  if (path.endsWith('/retitle')) return { title };
  if (path.endsWith('/split')) return { title, items: desk.storyItemId };
  if (path === '/desk/stories/merge') return { stories: desk.storyId };
  if (path.endsWith('/merge')) return { other: desk.storyId };
  if (path.endsWith('/tier')) return { tier: '2' };
  if (path.endsWith('/holds')) return { holds: 'all' };
  if (path.includes('{draft}') && /drop|add|pin|move/.test(path)) return { item: desk.itemId };
  if (/rewrite|note/.test(path)) return { language: 'en' };
  return /find|sources\/add/.test(path) ? { url: 'http://127.0.0.1/feed' } : {};
}

const isRefused = (status: number, location: string | undefined): boolean =>
  status === 401 ||
  status === 403 ||
  status === 404 ||
  (status === 303 && location?.startsWith('/auth/') === true);

async function everyRoute(context: SuiteContext, desk: DeskStage, port: number): Promise<void> {
  let [asked, beyond, missing, other] = [0, 0, 0, 0];
  const judge = async (
    name: string,
    headers: Readonly<Record<string, string>>,
    isAllowed: (least: Least) => boolean,
  ) => {
    for (const route of routes) {
      const { status, headers: answered } = await ask(port, desk, route, headers);
      const refused = isRefused(status, answered.location);
      asked += 1;
      if (![200, 204, 303, 400, 403, 404, 409].includes(status)) other += 1;
      if (refused === !isAllowed(route[2])) continue;
      if (refused) missing += 1;
      else beyond += 1;
      context.note(`${name}: ${route[0]} ${route[1]} answered ${status}`);
    }
  };
  for (const [name, { cookie }] of desk.each)
    await judge(name, { cookie }, (least) => ranks[name] >= needed[least]);
  await judge('owner', { cookie: desk.owner.cookie }, () => true);
  for (const [name, headers] of [...desk.programs, ['without credentials', {}] as const])
    await judge(name, headers, () => false);
  const figure = (name: string, value: number, exactly?: number) =>
    context.figure({ name, value, unit: 'requests', ...(exactly !== undefined && { goal: { exactly } }) });
  figure(`to ${routes.length} pages and forms`, asked);
  figure('accepted beyond the table', beyond, 0);
  figure('refused within the table', missing, 0);
  figure('answered with anything else', other, 0);
}

async function revocations(
  context: SuiteContext,
  stage: AccountsStage,
  desk: DeskStage,
  processes: readonly AccountsProcess[],
): Promise<void> {
  const ports = processes.map(({ port }) => port);
  const watch = async (
    name: string,
    { cookie }: SignedIn,
    path: string,
    revoke: () => Promise<unknown>,
  ): Promise<void> => {
    const timing = { beforeMs: 300, afterMs: 1_500 };
    const outcome = await watchRevocation(ports, { path, headers: { cookie }, revoke }, timing);
    const value = outcome.lastAcceptedMs;
    context.figure({ name: `${name}, last accepted`, value, unit: 'ms', goal: { atMost: 1_000 } });
    context.figure({
      name: `${name}, accepted again`,
      value: outcome.resurrected,
      unit: 'requests',
      goal: { exactly: 0 },
    });
  };
  const query = (text: string, values: readonly string[]) => stage.superuser.pool.query(text, [...values]);
  const [editor, member, reporter] = [
    desk.each.get('editor'),
    desk.each.get('member'),
    desk.each.get('reporter'),
  ];
  // As if the time had come: nothing notifies the processes.
  await watch('the end of a duty', editor ?? raise(), '/desk', () =>
    query('UPDATE access.group_user SET ends_at = now() WHERE account_id = $1', [editor?.id ?? '']),
  );
  await watch('a removed member', member ?? raise(), '/desk', () =>
    send(ports[0] ?? 0, `/dm/api/core/rbac/members/${member?.username}?platform_key=${desk.key}`, {
      method: 'DELETE',
      headers: desk.owner.headers,
    }),
  );
  await watch('an ended session', reporter ?? raise(), '/desk', () =>
    send(ports[1] ?? 0, '/auth/signout', {
      form: {},
      headers: { cookie: reporter?.cookie ?? '', 'sec-fetch-site': 'same-origin' },
    }),
  );
}

function raise(): never {
  throw new Error('a person is missing');
}
