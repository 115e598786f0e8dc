import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { startBucketServer } from '@daybook/local-bucket';

import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { cookieOf, signInOnForm } from '../attacks/page-attacks.ts';
import type { RevocationOutcome } from '../http/revocation-watch.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { StageOrganization } from '../storage/access-askers.ts';
import { addGuest, organizationOf, signUp } from '../storage/access-askers.ts';
import type { Asker } from '../storage/access-checks.ts';
import { AccessChecks } from '../storage/access-checks.ts';
import { AccessLinks, watchRevokedLink } from '../storage/access-links.ts';
import { addReceiver, memberOf, ownerOf } from '../storage/access-people.ts';
import type { Receiver } from '../storage/access-shares.ts';
import { AccessShares, watchEndedShare } from '../storage/access-shares.ts';
import { AccessTransfers } from '../storage/access-transfers.ts';
import type { TreeSize } from '../storage/access-tree.ts';
import { AccessTree } from '../storage/access-tree.ts';
import type { WalkOutcome } from '../storage/access-walk.ts';
import { AccessWalk } from '../storage/access-walk.ts';
import { tryContentAddresses, tryPartAddresses } from '../storage/address-attacks.ts';
import type { Tried } from '../storage/hostile-requests.ts';
import { storeFile } from '../storage/hostile-storing.ts';

export const suite: Suite = {
  name: 'storage-access',
  nightly: true,
  summary:
    'Access to files in random trees under random policies, shares, links and invitations equals an independent oracle’s decision; an owner restores whatever others delete.',
  promise:
    'Guests with random policies ask three processes for every project, folder and file of random trees, with access tokens and API keys, before and after things are copied and moved, also to other projects, deleted and restored: each status is the one that an oracle finds by walking up from the thing, each list (projects, children in both orders, search, trash, archive) has exactly what may be read, in full pages. Links that they make give anyone what they may read themselves at that moment, as long as they may share it; what they share with each other gives no more than they hold. Attackers are guests with a share for writing or managing, who try to delete permanently (entries, versions, the trash) and to read earlier versions: only an explicit permission allows it. Then 20,000 random operations of owners, members, guests, people with an open invitation, removed guests and strangers (reading, searching names and texts, storing, versions, deleting, restoring, purging, moves and copies also to other projects, shares, links, invitations) are compared with the model one by one. Attackers have an account, know every id, the ids of deleted entries and the secrets of links that have ended; they do not have the credentials of others. At the end an owner restores everything and reads every version: what callers without a permission to purge have deleted or replaced is there. A revoked link and an ended share are refused by three processes within a second. Keys of other organizations, strangers and platform tokens find nothing. Addresses of the bucket that are altered, expired, used or asked for by others are refused.',
  run: async (context) => {
    const server = startBucketServer();
    try {
      const stage = await openStorageStage(3, server);
      try {
        await proveAccess(context, stage);
      } finally {
        await stage.stop();
      }
    } finally {
      await (await server).remove();
    }
  },
};

const quickSize: TreeSize = { projects: 2, folders: 8, files: 9, deletions: 3 };
const fullSize: TreeSize = { projects: 3, folders: 16, files: 24, deletions: 8 };

async function proveAccess(context: SuiteContext, stage: StorageStage): Promise<void> {
  const organization = await organizationOf(stage, stage.account.id);
  const checks = new AccessChecks(stage);
  const counts = { links: 0, shares: 0, refused: 0, transfers: 0 };
  let outside: Tried = { tried: 0, through: [] };
  for (let world = 0; world < (context.quick ? 1 : 3); world += 1) {
    const random = seededRandom(1_900 + world);
    const tree = new AccessTree(stage, random, world * 10_000);
    await tree.grow(context.quick ? quickSize : fullSize);
    const guests: Receiver[] = [];
    for (let made = 0; made < (context.quick ? 4 : 8); made += 1)
      guests.push(await addReceiver(stage, organization, tree, random));
    const links = new AccessLinks(stage, checks);
    const transfers = new AccessTransfers(stage, checks, random);
    const askers = [ownerOf(stage, tree, organization.key), ...guests];
    await useTransfers({ transfers, tree, askers, random });
    await usePolicies({ checks, links, tree, guests, random });
    outside = add(outside, await askFromOutside(stage, organization, tree, guests));
    const shares = await useShares(stage, { checks, links, tree, guests, random });
    for (const guest of guests)
      for (let turn = 0; turn < 6; turn += 1) await transfers.copy(guest, pick(random, tree.entries));
    counts.transfers += transfers.made;
    counts.links += links.opened;
    counts.shares += shares.made;
    counts.refused += shares.refused;
    await tree.remove();
  }
  await proveWalks(context, stage, organization, checks);
  report(context, checks, outside);
  const atLeast = (name: string, value: number, unit: string, goal: number): void =>
    context.figure({ name, value, unit, goal: { atLeast: goal } });
  atLeast('links opened', counts.links, 'links', 10);
  atLeast('copies and moves to other projects', counts.transfers, 'transfers', 10);
  atLeast('shares made', counts.shares, 'shares', 20);
  atLeast('shares refused to who may not make them', counts.refused, 'shares', 20);
  await proveRevocation(context, stage, organization);
  await proveAddresses(context, stage);
}

async function walkOnce(
  context: SuiteContext,
  stage: StorageStage,
  {
    organization,
    checks,
    walk,
  }: {
    readonly organization: StageOrganization;
    readonly checks: AccessChecks;
    readonly walk: number;
  },
): Promise<WalkOutcome> {
  const random = seededRandom(7_300 + walk);
  const tree = new AccessTree(stage, random, 100_000 * (walk + 1));
  await tree.grow(quickSize);
  const owner = ownerOf(stage, tree, organization.key);
  const guests: Receiver[] = [];
  for (let made = 0; made < 8; made += 1)
    // Half of them only have what is shared with them.
    guests.push(
      await addReceiver(stage, organization, tree, random, { hasPolicies: made % 2 === 0, isGuest: true }),
    );
  const members = [await memberOf(stage, organization, tree)];
  const stranger = await addReceiver(stage, organization, tree, random, {
    hasPolicies: false,
    isGuest: false,
  });
  const people = { owner, members, guests, stranger };
  const walking = new AccessWalk(stage, organization, checks, { tree, random, people });
  const outcome = await walking.run(context.quick ? 500 : 5_000);
  await tree.remove();
  return outcome;
}

const walkGoals: readonly (readonly [string, (outcome: WalkOutcome) => number, string, number])[] = [
  ['random operations', ({ operations }) => operations, 'operations', 20_000],
  ['of these, changes that were allowed', ({ changes }) => changes, 'changes', 1_500],
  ['searches by text', ({ searches }) => searches, 'searches', 1_000],
  ['people who joined by invitation', ({ joined }) => joined, 'people', 20],
  ['contents replaced by others than owners', ({ replaced }) => replaced, 'contents', 300],
  ['entries deleted by others than owners', ({ deleted }) => deleted, 'entries', 25],
  ['purged by others than owners, as their policies allow', ({ purged }) => purged, 'entries', 25],
];

async function proveWalks(
  context: SuiteContext,
  stage: StorageStage,
  organization: StageOrganization,
  checks: AccessChecks,
): Promise<void> {
  const outcomes: WalkOutcome[] = [];
  for (let walk = 0; walk < (context.quick ? 1 : 4); walk += 1)
    outcomes.push(await walkOnce(context, stage, { organization, checks, walk }));
  for (const [name, of, unit, goal] of walkGoals) {
    const value = outcomes.reduce((sum, outcome) => sum + of(outcome), 0);
    context.figure({ name, value, unit, goal: { atLeast: context.quick ? goal / 50 : goal } });
  }
  const lost = outcomes.flatMap((outcome) => outcome.lost);
  for (const one of lost.slice(0, 10)) context.note(one);
  context.figure({
    name: 'entries and versions that an owner could not restore',
    value: lost.length,
    unit: 'contents',
    goal: { exactly: 0 },
  });
}

interface World {
  readonly checks: AccessChecks;
  readonly links: AccessLinks;
  readonly tree: AccessTree;
  readonly guests: readonly Receiver[];
  readonly random: () => number;
}

async function usePolicies({ checks, links, tree, guests, random }: World): Promise<void> {
  const some = (length: number) => Array.from({ length }, () => pick(random, tree.entries));
  for (const guest of guests) {
    await checks.readAll(guest);
    await links.make(guest, some(10));
  }
  await links.openAll();
  for (const guest of guests) await checks.changeSome(guest, some(8));
  for (let turn = 0; turn < 40; turn += 1) await tree.change();
  for (const guest of guests) await checks.readAll(guest);
  await links.openAll();
}

/** Before links and shares exist, which a move would end. */
async function useTransfers({
  transfers,
  tree,
  askers,
  random,
}: Pick<World, 'tree' | 'random'> & {
  readonly transfers: AccessTransfers;
  readonly askers: readonly Asker[];
}): Promise<void> {
  for (const asker of askers) {
    await transfers.readProjects(asker);
    for (let turn = 0; turn < 20; turn += 1) await transfers.copy(asker, pick(random, tree.entries));
    for (let turn = 0; turn < 20; turn += 1) await transfers.move(asker, pick(random, tree.entries));
  }
}

/** Processes cache permissions for at most so long. */
const knownForMs = 1_000;

async function useShares(
  stage: StorageStage,
  { checks, links, tree, guests, random }: World,
): Promise<{ readonly made: number; readonly refused: number }> {
  const { key } = await organizationOf(stage, stage.account.id);
  const owner = ownerOf(stage, tree, key);
  const shares = new AccessShares(checks, random);
  for (let turn = 0; turn < 120; turn += 1)
    await shares.give(random() < 0.4 ? owner : pick(random, guests), guests);
  const made = shares.given.length;
  await delay(knownForMs);
  for (const guest of guests) await checks.readAll(guest);
  for (const maker of [owner, ...guests])
    await links.make(
      maker,
      Array.from({ length: 8 }, () => pick(random, tree.entries)),
    );
  await links.openAll();
  for (let turn = 0; turn < made; turn += 1)
    if (shares.given.length > 0) await shares.end(random() < 0.4 ? owner : pick(random, guests));
  await delay(knownForMs);
  for (const guest of guests) await checks.readAll(guest);
  await links.openAll();
  return { made, refused: shares.refused };
}

function report(context: SuiteContext, checks: AccessChecks, outside: Tried): void {
  const figure = (name: string, value: number, unit: string, atLeast: number): void =>
    context.figure({ name, value, unit, goal: { atLeast } });
  const none = (name: string, through: readonly string[], unit: string): void => {
    for (const one of through.slice(0, 10)) context.note(one);
    context.figure({ name, value: through.length, unit, goal: { exactly: 0 } });
  };
  figure('answers compared with the oracle', checks.compared, 'answers', 1_000);
  figure('of these, given to who may have them', checks.allowed, 'answers', 100);
  figure('pages of lists', checks.pages, 'pages', 50);
  none('answers and pages that differ', checks.differing, 'answers');
  figure('requests from outside', outside.tried, 'requests', 60);
  none('requests from outside that were answered', outside.through, 'requests');
}

/** Foreign API keys, other accounts and platform tokens find nothing; browsers find what users may read. */
async function askFromOutside(
  stage: StorageStage,
  { key }: StageOrganization,
  tree: AccessTree,
  guests: readonly Receiver[],
): Promise<Tried> {
  const through: string[] = [];
  let tried = 0;
  const { port = 0 } = stage.processes[0] ?? {};
  const expectStatus = async (
    who: string,
    path: string,
    headers: Asker['credentials'][0],
    status: number,
    json?: object,
  ) => {
    tried += 1;
    const sent = json === undefined ? { headers } : { method: 'POST', headers, json };
    const answer = await send(port, path, sent);
    if (answer.status !== status) through.push(`${who}: ${path}: ${answer.status} instead of ${status}`);
  };
  const [first] = guests as [Receiver];
  const stranger = await signUp(stage);
  const elsewhere = await first.person.apiKey([first.person.ownOrganization]);
  const cookie = cookieOf(await signInOnForm(port, first.person));
  const token = await stage.ask('POST', '/dm/api/core/platform/api-tokens/', {
    username: key,
    name: `outside ${guests[0]?.name}`,
    platform_key: key,
    created: new Date().toISOString(),
    expires: '',
  });
  const platform = { authorization: `Api-Token ${token.json<{ key: string }>().key}` };
  for (const entry of tree.entries.slice(0, 24)) {
    const path = `/api/v1/${entry.kind}s/${entry.id}`;
    await expectStatus('stranger', path, stranger.bearer, 404);
    await expectStatus('key of another organization', path, elsewhere, 404);
    await expectStatus('platform token', path, platform, 401);
    await expectStatus('nobody', path, {}, 401);
    for (const act of ['copy', 'move']) {
      const json = { projectId: entry.projectId, folderId: null };
      await expectStatus('stranger', `${path}/${act}`, stranger.bearer, 404, json);
      await expectStatus('key of another organization', `${path}/${act}`, elsewhere, 404, json);
      await expectStatus('platform token', `${path}/${act}`, platform, 401, json);
    }
    if (entry.kind !== 'file') continue;
    const content = `/platform/${key}/files/${entry.id}/content`;
    await expectStatus('browser', content, { cookie }, first.oracle.readsEntry(entry) ? 200 : 404);
  }
  return { tried, through };
}

async function proveRevocation(
  context: SuiteContext,
  stage: StorageStage,
  organization: StageOrganization,
): Promise<void> {
  const projectId = await stage.newProject('revoked');
  const file = { name: 'shared', mediaType: 'text/plain', bytes: Buffer.from('shared') };
  const fileId = await storeFile(stage, projectId, file);
  const guest = await signUp(stage);
  await addGuest(stage, organization, guest);
  for (const [what, watch] of [
    ['revoked link', () => watchRevokedLink(stage, fileId)],
    ['ended share', () => watchEndedShare(stage, fileId, guest)],
  ] as const) {
    const outcomes: RevocationOutcome[] = [];
    for (let round = 0; round < (context.quick ? 1 : 10); round += 1) outcomes.push(await watch());
    context.figure({
      name: `${what}: last accepted by any of three processes after its end`,
      value: Math.max(...outcomes.map(({ lastAcceptedMs }) => lastAcceptedMs)),
      unit: 'ms',
      goal: { atMost: 1_000 },
    });
    context.figure({
      name: `${what}: accepted again after a refusal`,
      value: outcomes.reduce((sum, { resurrected }) => sum + resurrected, 0),
      unit: 'requests',
      goal: { exactly: 0 },
    });
  }
}

async function proveAddresses(context: SuiteContext, stage: StorageStage): Promise<void> {
  const projectId = await stage.newProject('addresses');
  const [stranger, other] = [await signUp(stage), await signUp(stage)];
  await addGuest(stage, await organizationOf(stage, stage.account.id), other);
  const strangers = [stranger.bearer, other.bearer];
  for (const [what, { tried, through }] of [
    ['content addresses', await tryContentAddresses(stage, projectId, strangers)],
    ['part addresses', await tryPartAddresses(stage, projectId, strangers)],
  ] as const) {
    context.figure({ name: `${what} tried`, value: tried, unit: 'tries', goal: { atLeast: 12 } });
    context.figure({
      name: `${what} that got through`,
      value: through.length,
      unit: 'tries',
      goal: { exactly: 0 },
    });
    for (const one of through) context.note(one);
  }
}

function add(one: Tried, other: Tried): Tried {
  return { tried: one.tried + other.tried, through: [...one.through, ...other.through] };
}
