import type { capabilities } from '../../access/index.ts';
import { permissions } from '../../access/index.ts';

const action = (resource: string, verb: string): permissions.Action =>
  permissions.defineAction(`Daybook.Newsroom/${resource}/${verb}`);

/** The actions on the newsroom's resources, which belong to the newsroom's organization. */
export const deskActions = {
  sources: {
    read: action('Sources', 'read'),
    create: action('Sources', 'create'),
    update: action('Sources', 'update'),
  },
  items: {
    read: action('Items', 'read'),
    update: action('Items', 'update'),
    select: action('Items', 'select'),
    withdraw: action('Items', 'withdraw'),
  },
  stories: {
    read: action('Stories', 'read'),
    update: action('Stories', 'update'),
    merge: action('Stories', 'merge'),
    split: action('Stories', 'split'),
  },
  rankings: { read: action('Rankings', 'read') },
  editions: {
    read: action('Editions', 'read'),
    compose: action('Editions', 'compose'),
    update: action('Editions', 'update'),
  },
  queue: { read: action('Queue', 'read'), decide: action('Queue', 'decide') },
  journal: { read: action('Journal', 'read') },
  operations: { read: action('Operations', 'read'), retry: action('Operations', 'retry') },
} as const;

const on = (
  where: capabilities.Capability['on'],
  kind: string,
  allowed: permissions.Action,
  words: string,
): capabilities.Capability => ({ action: allowed, kind: ['newsroom', kind], on: where, words });

export const deskCapabilities: readonly capabilities.Capability[] = [
  on('collection', 'queue', deskActions.queue.read, 'see the queue of the newsroom'),
  on('things', 'queue', deskActions.queue.decide, 'hold, release and drop entries'),
  on('things', 'items', deskActions.items.read, 'open items in the newsroom'),
  on('things', 'items', deskActions.items.update, 'rewrite and recategorize items'),
  on('things', 'items', deskActions.items.select, 'select and unselect items'),
  on('things', 'items', deskActions.items.withdraw, 'withdraw items'),
  on('things', 'stories', deskActions.stories.read, 'open stories in the newsroom'),
  on('things', 'stories', deskActions.stories.update, 'change titles of stories'),
  on('things', 'stories', deskActions.stories.merge, 'merge stories'),
  on('things', 'stories', deskActions.stories.split, 'split stories'),
  on('collection', 'sources', deskActions.sources.read, 'see the health of sources'),
  on('things', 'sources', deskActions.sources.update, 'pause and change sources'),
  on('things', 'sources', deskActions.sources.create, 'add sources'),
  on('collection', 'rankings', deskActions.rankings.read, 'see rankings in the newsroom'),
  on('things', 'editions', deskActions.editions.read, 'see reports in the newsroom'),
  on('things', 'editions', deskActions.editions.compose, 'edit drafts of reports'),
  on('things', 'editions', deskActions.editions.update, 'correct reports'),
  on('collection', 'journal', deskActions.journal.read, 'read the journal of the newsroom'),
  on('collection', 'operations', deskActions.operations.read, 'see runs, storage and backups'),
  on('collection', 'operations', deskActions.operations.retry, 'retry failed runs'),
];

const { sources, items, stories, rankings, editions, queue, journal, operations } = deskActions;
const reading = [sources, items, stories, rankings, editions, queue, journal, operations].map(
  ({ read }) => read,
);
const reporting = [...reading, items.update];
const editing = [
  ...reporting,
  items.select,
  queue.decide,
  stories.update,
  stories.merge,
  stories.split,
  sources.update,
  editions.compose,
];
const leading = [...editing, items.withdraw, editions.update, sources.create, operations.retry];

const preset = (
  id: string,
  label: string,
  actions: readonly permissions.Action[],
): capabilities.PermissionPreset => ({
  id,
  label,
  actions: actions.map(({ text }) => text),
  kinds: ['newsroom'],
  isDeep: true,
});

/** The ready-made policies; each includes the previous one. */
export const deskPresets: readonly capabilities.PermissionPreset[] = [
  preset('reporter', 'Reporter: read the newsroom, rewrite and recategorize items', reporting),
  preset(
    'editor',
    'Editor: also select items, process the queue, merge and split stories, edit drafts of reports, pause sources',
    editing,
  ),
  preset(
    'chief-editor',
    'Chief editor: also withdraw items, correct reports, add sources and retry failed runs',
    leading,
  ),
];
