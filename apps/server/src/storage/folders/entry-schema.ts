import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema, sortedOrder } from '../../foundation/pagination/page-schema.ts';
import type { Entry } from './entry.ts';
import { entityTagOf } from './entry.ts';

export const EntryParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

/** A folder in a body: `folderId`, as in every request; `parentId` in 0.1.0. */
export function folderFields(description: string) {
  const id = Type.Union([Type.String({ maxLength: 64 }), Type.Null()]);
  return {
    folderId: Type.Optional({ ...id, description }),
    parentId: Type.Optional({ ...id, description: 'Use `folderId`.', deprecated: true }),
  };
}

/** The folder that a body names; undefined if it names none. */
export function folderIdOf(body: {
  readonly folderId?: string | null;
  readonly parentId?: string | null;
}): string | null | undefined {
  return body.folderId === undefined ? body.parentId : body.folderId;
}

/** A folder in a query: `folderId`; `folder` in 0.1.0. */
export function folderQuery(description: string) {
  return {
    folderId: Type.Optional(Type.String({ maxLength: 64, description })),
    folder: Type.Optional(Type.String({ maxLength: 64, description: 'Use `folderId`.', deprecated: true })),
  };
}

/** As in the names of operations. */
export const titleOf = { folder: 'Folder', file: 'File' } as const;

const placed = {
  id: Type.String({ format: 'uuid' }),
  projectId: Type.String({ format: 'uuid' }),
  folderId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The folder that contains it; null for the top level of the project.',
  }),
  parentId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'Equal to `folderId`.',
    deprecated: true,
  }),
  name: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  deletedAt: Type.Optional(Type.String({ format: 'date-time', description: 'Time of deletion.' })),
};

/** The results of a worker's inspection of stored content. */
export const inspectedProperties = {
  sha256: Type.Union([Type.String(), Type.Null()], {
    description:
      'Null until it is computed, if the content was sent directly to the bucket, or with tus in several requests, without a declared hash.',
  }),
  detectedMediaType: Type.Union([Type.String(), Type.Null()], {
    description: 'Media type detected from the content; null until it is inspected.',
  }),
  scanState: Type.Enum(['unscanned', 'waiting', 'clean', 'infected', 'unscannable'], {
    description:
      '`waiting`: only the uploader can read it. `infected`: cannot be read. `unscannable`: the scanner could not read all of it; only the uploader can read it, unless the operator permits all readers. `unscanned`: stored without a scanner.',
  }),
};

export const FolderSchema = titledObject('Folder', { ...placed, kind: Type.Literal('folder') });

export const FileSchema = titledObject('File', {
  ...placed,
  kind: Type.Literal('file'),
  version: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
  mediaType: Type.String({ description: 'As declared by the uploader.' }),
  ...inspectedProperties,
  etag: Type.String({ description: 'The entity tag of `GET …/content`, for `If-Match`.' }),
});

export const schemaOf = { folder: FolderSchema, file: FileSchema } as const;

const EntrySchema = titledObject('Entry', {
  ...placed,
  kind: Type.Enum(['folder', 'file']),
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  size: Type.Optional(Type.Integer({ minimum: 0 })),
  mediaType: Type.Optional(Type.String()),
  detectedMediaType: Type.Optional(inspectedProperties.detectedMediaType),
  scanState: Type.Optional(inspectedProperties.scanState),
  sha256: Type.Optional(inspectedProperties.sha256),
  etag: Type.Optional(Type.String()),
});

export const EntryPageSchema = pageSchema(EntrySchema, 'Entries', sortedOrder);
export const TrashPageSchema = pageSchema(
  EntrySchema,
  'Trash',
  'Sorted by deletedAt, newest first; then by id.',
);

export const EntryChangeSchema = titledObject(
  'EntryChange',
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    ...folderFields('The folder to move it to; null for the top level of the project.'),
  },
  { minProperties: 1 },
);

export const RestoreSchema = titledObject('Restore', {
  ifTaken: Type.Optional(
    Type.Enum(['refuse', 'rename'], { default: 'refuse', description: 'Action if the name is taken.' }),
  ),
});

export function presentEntry(entry: Entry) {
  const { id, projectId, parentId, kind, name, content, trashedAt } = entry;
  return {
    id,
    projectId,
    folderId: parentId,
    parentId,
    kind,
    name,
    ...(content !== null && {
      version: content.version,
      size: content.size,
      mediaType: content.mediaType,
      detectedMediaType: content.detectedMediaType,
      scanState: content.scanState,
      sha256: content.sha256?.toString('hex') ?? null,
      etag: entityTagOf(content),
    }),
    createdAt: isoMicroseconds(entry.createdAt),
    updatedAt: isoMicroseconds(entry.updatedAt),
    ...(trashedAt !== null && { deletedAt: isoMicroseconds(trashedAt) }),
  };
}
