import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { AccessTree } from './access-tree.ts';

const actions = [
  'Daybook.Storage/Files/read',
  'Daybook.Storage/Files/read',
  'Daybook.Storage/Folders/read',
  'Daybook.Storage/Folders/read',
  'Daybook.Storage/Projects/read',
  'Daybook.Storage/*/read',
  'Daybook.Storage/*/read',
  'Daybook.Storage/*/*',
  'Daybook.Storage/**',
  'Daybook.*/Files/*',
  'Daybook.Storage/Files/update',
  'Daybook.Storage/Folders/create',
  'Daybook.Storage/Folders/delete',
  'Daybook.Storage/Projects/delete',
  'Daybook.Storage/Files/delete',
  'Daybook.Storage/Files/purge',
  'Daybook.Storage/Folders/purge',
  'Daybook.Storage/Trash/purge',
  'Daybook.Storage/Versions/read',
  'Daybook.Storage/Versions/purge',
  'Daybook.Storage/Shares/create',
  'Daybook.Storage/Shares/*',
  'Daybook.Core/Members/read',
];

/** One to four policies on existing resources, on all of a kind, and on places without such resources. */
export function drawPolicies(
  random: Random,
  tree: AccessTree,
  organizationKey: string,
): readonly WrittenPolicy[] {
  const some = <Value>(max: number, make: () => Value): readonly Value[] =>
    Array.from({ length: 1 + Math.floor(random() * max) }, make);
  return some(4, () => ({
    actions: some(4, () => pick(random, actions)),
    resources: some(4, () => `/organizations/${organizationKey}${drawPath(random, tree)}`),
  }));
}

function drawPath(random: Random, tree: AccessTree): string {
  const ofKind = (kind: string): string =>
    pick(
      random,
      tree.entries.filter((entry) => entry.kind === kind),
    ).id;
  const entry = pick(random, tree.entries);
  const above = pick(random, [ofKind('folder'), ...tree.above(entry).map(({ id }) => id)]);
  const project = random() < 0.1 ? '*' : entry.projectId;
  const inProject = [
    '',
    '/**',
    '/files',
    '/folders',
    '/files/*',
    '/folders/*',
    '/folders/*/**',
    '/folders/*/files/*',
    `/${entry.kind}s/${entry.id}`,
    `/${entry.kind}s/${entry.id}`,
    `/folders/${above}`,
    `/folders/${above}/**`,
    `/folders/${above}/**`,
    `/folders/${above}/files/*`,
    `/folders/${above}/folders/*`,
    `/folders/${above}/${entry.kind}s/${entry.id}`,
    `/folders/*/${entry.kind}s/${entry.id}`,
    `/folders/${ofKind('file')}/**`,
  ];
  const anywhere = ['', '/projects', '/projects/*'];
  return random() < 0.1 ? pick(random, anywhere) : `/projects/${project}${pick(random, inProject)}`;
}
