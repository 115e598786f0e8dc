import type { NoteBasis, NoteContext } from '../classify/classification.ts';
import { baseOf, datedName, foldersOf, isYear } from '../sources/dated-name.ts';
import type { Target } from '../targets/target.ts';
import type { NoteBody } from './note-body.ts';
import type { NoteKind } from './note-kind.ts';
import { kindOfWord } from './note-kind.ts';

/** A target with the evidence for it. */
export interface Evidence {
  readonly target: Target;
  readonly basis: NoteBasis;
  readonly reason: string;
}

const typeProperties = [
  'categories',
  'category',
  'type',
  'kind',
  'class',
  'note type',
  'notetype',
  'note-type',
  'is',
];
/** As tags these are more often a topic than the kind of the note. */
const topicTags =
  /^(?:authors?|writers?|friends?|colleagues?|humans?|videos?|lectures?|ideas?|orgs?|songs?|periodic|weekly|monthly|yearly)$/i;
const templateName = /(?:^|[\s_-])template$|^template(?:[\s_-]|$)/i;
const readmeName =
  /^(?:readme|_?index|home|start here|welcome|intro|introduction|about|toc|contents|changelog|contributing|license|moc)$|[\s_-](?:moc|readme)$/i;
/** Dated notes in these folders are issues or records, not entries of a journal. */
const datedOther =
  /^(?:newsletters?|releases?|changelogs?|reports?|invoices?|meetings?|minutes|blogs?|posts?|_posts|articles?|papers?|talks?|events?)$/i;
/** A view or an empty form says nothing in words. */
const viewWordsMax = 12;

export interface VaultNote {
  readonly path: string;
  readonly context: NoteContext;
  readonly body: NoteBody;
  /** The first heading, or an empty text. */
  readonly heading: string;
}

/** What the vault says about a note, the strongest evidence first; null where it says nothing. */
export function vaultEvidence(note: VaultNote): Evidence | null {
  return (
    templateEvidence(note) ??
    readmeEvidence(note) ??
    propertyEvidence(note) ??
    dateEvidence(note) ??
    viewEvidence(note) ??
    tagEvidence(note) ??
    folderEvidence(note)
  );
}

function templateEvidence({ path, body }: VaultNote): Evidence | null {
  const folder = foldersOf(path).find((name) => kindOfWord(name)?.name === 'a template');
  const isNamed = templateName.test(baseOf(path));
  const isForm = body.hasPlaceholders && body.proseWords < 60;
  if (folder === undefined && !isNamed && !isForm) return null;
  const reason =
    folder !== undefined
      ? `it is in the folder ${folder}`
      : isNamed
        ? 'its name says template'
        : 'it contains placeholders to fill in';
  return { target: 'NOTE', basis: 'template', reason };
}

function readmeEvidence({ path }: VaultNote): Evidence | null {
  const base = baseOf(path);
  return readmeName.test(base)
    ? { target: 'NOTE', basis: 'readme', reason: `${base} describes its folder` }
    : null;
}

function propertyEvidence({ context }: VaultNote): Evidence | null {
  const properties = context.properties ?? {};
  const named = typeProperties.flatMap((name) => {
    const key = Object.keys(properties).find((one) => one.toLowerCase() === name);
    return (key === undefined ? [] : wordsOf(properties[key])).flatMap((value) => {
      const kind = kindOfWord(value);
      return kind === null ? [] : [{ kind, reason: `its property ${key} says ${plainWord(value)}` }];
    });
  });
  // The more precise word decides: a company that also makes an app is a company, a clipped recipe is a recipe.
  const best =
    named.find(({ kind }) => kind.target !== 'NOTE' && kind.target !== 'Research') ??
    named.find(({ kind }) => kind.target === 'NOTE') ??
    named[0];
  if (best !== undefined) return kindEvidence(best.kind, 'property', best.reason);
  const has = (...names: readonly string[]): boolean => names.every((name) => !isEmpty(properties[name]));
  if (has('isbn') || has('author', 'pages'))
    return { target: 'BOOKS', basis: 'property', reason: 'its properties describe a book' };
  if (has('director'))
    return { target: 'MOVIES', basis: 'property', reason: 'its properties describe a film' };
  if (has('source', 'author') || has('url', 'author') || has('source', 'published'))
    return {
      target: 'Research',
      basis: 'property',
      reason: 'its properties name the author and source of a text',
    };
  return null;
}

function dateEvidence({ path, context, heading }: VaultNote): Evidence | null {
  const base = baseOf(path);
  const dated = datedName(base);
  const folders = foldersOf(path);
  const journal = folders.find((name) => kindOfWord(name)?.target === 'JOURNAL');
  const other = folders.find((name) => datedOther.test(name));
  if (dated !== null && other !== undefined)
    return { target: 'NOTE', basis: 'dated name', reason: `a dated note in ${other}` };
  const inYear = folders.some(isYear);
  const isHabit = context.folder.notes >= 3 && context.folder.dated >= context.folder.notes * 0.6;
  if (dated === 'day' || (dated === 'period' && (journal !== undefined || inYear || isHabit)))
    return { target: 'JOURNAL', basis: 'dated name', reason: `its name is the date ${base}` };
  if (dated === 'year' && (journal !== undefined || inYear))
    return { target: 'JOURNAL', basis: 'dated name', reason: `its name is the year ${base}` };
  if (journal !== undefined && (dated !== null || datedName(heading) === 'day'))
    return { target: 'JOURNAL', basis: 'dated folder', reason: `a dated note in the folder ${journal}` };
  if (dated !== null) return { target: 'NOTE', basis: 'dated folder', reason: `its name begins with a date` };
  return null;
}

function viewEvidence({ body }: VaultNote): Evidence | null {
  if (body.proseWords > viewWordsMax || !body.hasView) return null;
  return { target: 'NOTE', basis: 'view', reason: 'it embeds other notes and has no text of its own' };
}

function tagEvidence({ context }: VaultNote): Evidence | null {
  for (const tag of context.tags) {
    const kind = kindOfWord(tag);
    const isKind = kind !== null && kind.isFolder && kind.target !== 'NOTE' && !topicTags.test(tag);
    if (isKind) return kindEvidence(kind, 'tag', `it has the tag #${tag}`);
  }
  return null;
}

/** The nearest folder decides. A note named like its folder is the index of it. */
function folderEvidence({ path }: VaultNote): Evidence | null {
  const [nearest = '', ...others] = foldersOf(path);
  for (const folder of [nearest, ...others]) {
    const kind = kindOfWord(folder);
    if (kind === null || !kind.isFolder) continue;
    if (kindOfWord(baseOf(path)) === kind)
      return { target: 'NOTE', basis: 'folder', reason: `it is the index of the folder ${folder}` };
    return kindEvidence(kind, 'folder', `it is in the folder ${folder}`);
  }
  return null;
}

function kindEvidence(kind: NoteKind, basis: NoteBasis, reason: string): Evidence {
  return { target: kind.target, basis, reason };
}

function wordsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value.flat(2) : [value];
  return list.filter((one) => typeof one === 'string').slice(0, 20);
}

function plainWord(value: string): string {
  return value.replace(/^\[\[|\]\]$/g, '').slice(0, 60);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
