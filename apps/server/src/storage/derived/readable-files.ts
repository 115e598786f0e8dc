import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import { permissions } from '../../access/index.ts';
import { anywhere, every } from '../folders/readable-below.ts';
import { collectionOf, entryActions } from '../storage-actions.ts';

/** Files of this name below this folder in this project; each can be `every`. */
export interface ReadableFiles {
  readonly project: string;
  /** A folder, `every` for any, `anywhere` also for files outside of folders. */
  readonly above: string;
  readonly name: string;
}

/** The files of an organization that its member can read, worked out before the query and without reading projects. */
export function readableFiles({
  authority,
  organization,
}: callers.OrganizationActor): readonly ReadableFiles[] {
  if (authority.superuser) return [{ project: every, above: anywhere, name: every }];
  const { read } = entryActions.file;
  const { segments } = permissions.resourceOf(organization.key);
  const [folders, files] = [collectionOf.folder, collectionOf.file];
  const below = permissions.coveredPaths(authority, read, [...segments, 'projects', null, files, null]);
  const inFolders = permissions.coveredPaths(authority, read, [
    ...segments,
    'projects',
    null,
    folders,
    null,
    files,
    null,
  ]);
  return [
    ...below.map(([project = '', name = '']) => ({ project, above: anywhere, name })),
    ...inFolders.map(([project = '', above = '', name = '']) => ({ project, above, name })),
  ];
}

/** Whether one of them covers a file with these folders above it, given as text. */
export function isReadableFile(
  readable: readonly ReadableFiles[],
  file: {
    readonly projectId: RawBuilder<unknown>;
    readonly id: RawBuilder<unknown>;
    readonly folders: RawBuilder<unknown>;
  },
): RawBuilder<boolean> {
  if (readable.some(({ project, above, name }) => project === every && above === anywhere && name === every))
    return sql<boolean>`true`;
  const column = (of: keyof ReadableFiles) => readable.map((one) => one[of]);
  return sql<boolean>`EXISTS (
    SELECT FROM unnest(${column('project')}::text[], ${column('above')}::text[], ${column('name')}::text[])
      AS allowed (project, above, name)
    WHERE (allowed.project = ${every} OR allowed.project = ${file.projectId}::text)
      AND (allowed.name = ${every} OR allowed.name = ${file.id}::text)
      AND (allowed.above = ${anywhere} OR allowed.above = ANY (${file.folders})
        OR (allowed.above = ${every} AND cardinality(${file.folders}) > 0))
  )`;
}
