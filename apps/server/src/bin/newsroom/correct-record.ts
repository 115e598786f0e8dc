import { readConfig } from '../../config/config.ts';
import type { Id } from '../../foundation/ids.ts';
import { parseId } from '../../foundation/ids.ts';
import { readerLanguages } from '../../foundation/reader-language.ts';
import type { Result } from '../../foundation/result.ts';
import type { EditorDesk } from '../../newsroom/index.ts';
import type { editions } from '../../record/index.ts';
import { categories, corrections as recordCorrections } from '../../record/index.ts';
import { withEditorDesk } from '../../wiring/newsroom.ts';
import { UsageError } from '../command-line.ts';

const corrections = ['withdraw', 'correct', 'merge', 'split'] as const;
type Correction = (typeof corrections)[number];

export function isCorrection(action: string | undefined): action is Correction {
  return corrections.some((one) => one === action);
}

export interface CorrectionOptions {
  readonly reason?: string | undefined;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly category?: string | undefined;
  readonly headline?: string | undefined;
  readonly overview?: string | undefined;
  readonly unverified?: string | undefined;
  readonly language?: string | undefined;
}

/** Invalid arguments are reported before any connection is opened. */
export async function correctRecord(
  action: Correction,
  names: readonly string[],
  options: CorrectionOptions,
): Promise<void> {
  const reason = options.reason?.trim() ?? '';
  if (reason === '')
    throw new Error(`daybook newsroom ${action}: --reason "…" is required. It is published.`);
  const unverified = options.unverified?.trim();
  if (unverified === '') throw new Error('--unverified requires a reason. It is published.');
  const given = { ...options, reason, unverified };
  const correct = { withdraw, correct: correctOne, merge, split }[action](names, given);
  await withEditorDesk(readConfig(process.env), async (desk) => {
    for (const line of await correct(desk)) console.log(line);
  });
}

type Given = CorrectionOptions & { readonly reason: string };
type Correct = (desk: EditorDesk) => Promise<readonly string[]>;

function withdraw([item, ...rest]: readonly string[], { reason }: Given): Correct {
  if (item === undefined || rest.length > 0) throw new UsageError();
  const itemId = idOf<'item'>(item);
  return async (desk) => [
    `withdrawn: ${item}`,
    ...revised(valueOf(await desk.withdrawItem({ itemId, reason })).revisedEditions),
  ];
}

function correctOne([kind, name, ...rest]: readonly string[], given: Given): Correct {
  if (name === undefined || rest.length > 0) throw new UsageError();
  if (kind === 'item') return correctItem(name, given);
  if (kind === 'daily' || kind === 'weekly' || kind === 'monthly')
    return correctEdition({ kind, period: name }, given);
  throw new UsageError();
}

function correctItem(item: string, { reason, unverified, title, summary, category }: Given): Correct {
  const itemId = idOf<'item'>(item);
  const known = categories.find((one) => one === category);
  if (category !== undefined && known === undefined)
    throw new Error(`Unknown category ${category}. Choose one of: ${categories.join(', ')}`);
  const changes = {
    ...stated('title', title),
    ...stated('summary', summary),
    ...(known === undefined ? {} : { category: known }),
  };
  if (Object.keys(changes).length === 0)
    throw new Error('Specify at least one of --title, --summary and --category.');
  return async (desk) => [
    `corrected: ${item}`,
    ...revised(valueOf(await desk.correctItem({ itemId, changes, reason, unverified })).revisedEditions),
  ];
}

function correctEdition(
  key: editions.EditionKey,
  { reason, unverified, headline, overview, language }: Given,
): Correct {
  const words = { ...stated('headline', headline), ...stated('overview', overview) };
  const known = readerLanguages.find((one) => one === language);
  if (language !== undefined && known === undefined)
    throw new Error(`Unknown language ${language}. Choose one of: ${readerLanguages.join(', ')}`);
  const request = { ...key, note: reason, words, ...(known === undefined ? {} : { language: known }) };
  return async (desk) => {
    const { revision } = valueOf(await desk.correctEdition({ ...request, unverified }));
    return [`corrected: ${key.kind} ${key.period}, now revision ${revision}`];
  };
}

function merge([absorbed, survivor, ...rest]: readonly string[], { reason }: Given): Correct {
  if (absorbed === undefined || survivor === undefined || rest.length > 0) throw new UsageError();
  const request = { absorbedId: idOf<'story'>(absorbed), survivorId: idOf<'story'>(survivor), reason };
  return async (desk) => {
    valueOf(await desk.mergeStories(request));
    return [`merged: ${absorbed} redirects to ${survivor}`];
  };
}

function split([story, ...items]: readonly string[], { reason, unverified, title }: Given): Correct {
  if (story === undefined || items.length === 0) throw new UsageError();
  if (title === undefined)
    throw new Error('daybook newsroom split: --title "…" of the new story is required.');
  const request = {
    storyId: idOf<'story'>(story),
    itemIds: items.map(idOf<'item'>),
    title,
    ...stated('title', title),
    reason,
    unverified,
  };
  return async (desk) => [`split off: story ${valueOf(await desk.splitStory(request)).storyId}`];
}

const charsMax = { title: 300, headline: 300, summary: 2_000, overview: 2_000 } as const;

/** Null where the option is absent. */
function stated<Name extends keyof typeof charsMax>(
  name: Name,
  given: string | undefined,
): Partial<Record<Name, string>> {
  if (given === undefined) return {};
  const text = given.trim();
  if (text === '' || text.length > charsMax[name])
    throw new Error(`--${name} must have 1 to ${charsMax[name]} characters`);
  return { [name]: text } as Record<Name, string>;
}

function idOf<Kind extends string>(text: string): Id<Kind> {
  const id = parseId<Kind>(text);
  if (!id.ok) throw new Error(`${text} is not an id. Use the id from the API.`);
  return id.value;
}

function revised(editions: readonly editions.EditionKey[]): readonly string[] {
  return editions.map(({ kind, period }) => `new revision: ${kind} ${period}`);
}

export const reasonFault = `The reason must be one line of at most ${recordCorrections.reasonCharsMax} characters.`;

const refusalTexts: Readonly<Record<string, string>> = {
  unknown_item: 'Item not found.',
  withdrawn_item: 'The item is already withdrawn.',
  unknown_story: 'Story not found.',
  merged_story: 'The story was merged into another story.',
  same_story: 'A story cannot be merged into itself.',
  not_a_part: 'Specify some of the story’s items, not all of them.',
  unknown_edition: 'Report not found.',
  nothing_corrected: 'The correction changes nothing.',
  invalid_reason: reasonFault,
};

function valueOf<Value>(result: Result<Value, string> & { readonly findings?: readonly string[] }): Value {
  if (result.ok) return result.value;
  if (result.findings !== undefined)
    throw new Error(
      [
        'The text of the source does not support this correction:',
        ...result.findings.map((finding) => `  ${finding}`),
        'Correct the text, or publish it with --unverified "…", a reason that is published with the correction.',
      ].join('\n'),
    );
  throw new Error(refusalTexts[result.reason] ?? `refused: ${result.reason}`);
}
