import type { recorded } from '../../record/index.ts';
import type { history } from '../shell/words/verify-english.ts';
import type { WordChange } from './word-changes.ts';
import { wordChanges } from './word-changes.ts';

type Field = keyof (typeof history)['fields'];

export interface RevisionChanges {
  readonly texts: readonly { readonly field: Field; readonly changes: readonly WordChange[] }[];
  /** Fields without wording that changed. */
  readonly others: readonly Field[];
}

/** Two contents of the public log, compared. */
export function revisionChanges(
  kind: recorded.HistoryKind,
  before: unknown,
  after: unknown,
): RevisionChanges {
  const [one, other] = [describe(kind, before), describe(kind, after)];
  const texts: RevisionChanges['texts'][number][] = [];
  for (const [name, text] of other.texts) {
    const former = one.texts.get(name) ?? '';
    if (former !== text) texts.push({ field: fieldOf(name), changes: wordChanges(former, text) });
  }
  for (const [name, former] of one.texts)
    if (!other.texts.has(name)) texts.push({ field: fieldOf(name), changes: wordChanges(former, '') });
  const others = [...other.values].filter(
    ([name, value]) => JSON.stringify(one.values.get(name)) !== JSON.stringify(value),
  );
  return { texts, others: others.map(([name]) => name) };
}

/** Texts of an edition in another language have the name of their field and the language. */
function fieldOf(name: string): Field {
  return name.split(' ')[0] as Field;
}

interface Described {
  readonly texts: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<Field, unknown>;
}

interface EditionText {
  readonly language?: string;
  readonly headline: string;
  readonly overview: string;
}

interface Contents extends EditionText {
  readonly versions?: readonly EditionText[];
  readonly sections?: unknown;
  readonly flashes?: unknown;
  readonly reports?: unknown;
  readonly notes?: readonly { readonly text: string }[];
}

const itemTexts: readonly Field[] = ['title', 'originalTitle', 'summary'];
const itemValues: readonly Field[] = [
  'category',
  'score',
  'selected',
  'reason',
  'story',
  'links',
  'publishedAt',
  'language',
];

function describe(kind: recorded.HistoryKind, content: unknown): Described {
  const fields = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === 'item')
    return {
      texts: new Map(itemTexts.flatMap((name) => textOf(name, fields[name]))),
      values: new Map(itemValues.map((name) => [name, fields[name]])),
    };
  if (kind === 'story')
    return {
      texts: new Map([
        ...textOf('title', fields['title']),
        ...(['digest', 'otherDigest'] as const).flatMap((name) =>
          textOf(name, (fields[name] as { readonly text?: string } | null)?.text),
        ),
      ]),
      values: new Map(),
    };
  return describeEdition((fields['contents'] ?? {}) as Contents);
}

function textOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === 'string' && value !== '' ? [[name, value]] : [];
}

function describeEdition({
  versions = [],
  notes = [],
  sections,
  flashes,
  reports,
  ...own
}: Contents): Described {
  const named = (version: EditionText, suffix: string) => [
    ...textOf(`headline${suffix}`, version.headline),
    ...textOf(`overview${suffix}`, version.overview),
  ];
  return {
    texts: new Map([
      ...named(own, ''),
      ...versions.flatMap((version) => named(version, ` ${version.language ?? ''}`)),
      ...textOf('notes', notes.map(({ text }) => text).join('\n')),
    ]),
    values: new Map([['entries', [sections, flashes, reports]]]),
  };
}
