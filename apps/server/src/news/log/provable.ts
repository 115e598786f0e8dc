import type { TObject } from 'typebox';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import { idForm } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader, recorded } from '../../record/index.ts';
import { editionTag, itemTag, storyTag } from '../../record/index.ts';
import { editionDefinitions } from '../editions/edition-kinds.ts';
import { ItemParamsSchema } from '../items/items-schema.ts';
import { StoryParamsSchema } from '../stories/story-schema.ts';

type LoggedKind = Parameters<RecordReader['proof']>[0];

/** Something published whose entries can be proved. */
export interface Provable<Kind extends LoggedKind = LoggedKind> {
  readonly name: string;
  readonly path: string;
  readonly params: TObject;
  readonly param: string;
  readonly kind: Kind;
  readonly isId: (id: string) => boolean;
  /** Purges copies of the proof together with copies of the content. */
  readonly edgeTags: (id: string) => readonly string[];
}

const isUuid = (id: string): boolean => idForm.test(id);

const items: Provable<recorded.HistoryKind> = {
  name: 'Item',
  path: 'items',
  params: ItemParamsSchema,
  param: 'id',
  kind: 'item',
  isId: isUuid,
  edgeTags: (id) => [itemTag(id)],
};
const stories: Provable<recorded.HistoryKind> = {
  name: 'Story',
  path: 'stories',
  params: StoryParamsSchema,
  param: 'publicId',
  kind: 'story',
  isId: isUuid,
  edgeTags: (id) => [storyTag(id)],
};
const corrections: Provable = {
  name: 'Correction',
  path: 'corrections',
  params: Type.Object({ id: Type.String({ maxLength: 128, description: 'Id of a correction.' }) }),
  param: 'id',
  kind: 'correction',
  isId: isUuid,
  edgeTags: () => [],
};
const editions: readonly Provable<recorded.HistoryKind>[] = editionDefinitions.map(
  ({ kind, plural, label, labelSchema, isLabel }) => ({
    name: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    path: plural,
    params: Type.Object({ [label]: labelSchema }),
    param: label,
    kind,
    isId: isLabel,
    edgeTags: (period: string) => [editionTag({ kind, period })],
  }),
);

/** Of which every earlier revision can be read. */
export const revisable: readonly Provable<recorded.HistoryKind>[] = [items, stories, ...editions];
export const provable: readonly Provable[] = [...revisable, corrections];

export interface ProvableDeps {
  readonly record: RecordReader;
  readonly storyLayer: boolean;
}

/** Throws for an id that nothing can have. */
export function requireProvable({ kind, isId }: Provable, id: string, { storyLayer }: ProvableDeps): void {
  if (!isId(id) || (kind === 'story' && !storyLayer)) throw notLogged();
}

export function notLogged(): ProblemError {
  return new ProblemError(notFound, 'The public log has no entry for this content.');
}
