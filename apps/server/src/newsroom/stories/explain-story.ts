import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { PairFeatures } from './matching/pair-features.ts';
import type { PlacedItem, StoredVerdict, StoryDecision } from './story-decision-store.ts';
import { readDecisionsOfItem, readDecisionsOfStory, readPlacedItems } from './story-decision-store.ts';

const decisionsShown = 100;

/** The reasons for the placement of an item, line by line; null if it is unknown. */
export async function explainItem(database: Database, itemId: Id<'item'>): Promise<readonly string[] | null> {
  const decisions = await readDecisionsOfItem(database, itemId);
  if (decisions.length === 0) return null;
  const items = await readPlacedItems(database, idsIn(decisions));
  const item = items.get(itemId);
  const where = item?.storyId ?? null;
  return [
    titleOf(items, itemId),
    where === null ? 'It is in no story.' : `It is in story ${where} now.`,
    ...decisions.flatMap((decision) => decisionLines(decision, items)),
  ];
}

/** The reasons for the items of a story; null if it is unknown. */
export async function explainStory(
  database: Database,
  storyId: Id<'story'>,
): Promise<readonly string[] | null> {
  const decisions = await readDecisionsOfStory(database, storyId, decisionsShown);
  if (decisions.length === 0) return null;
  const items = await readPlacedItems(database, idsIn(decisions));
  return [
    `Story ${storyId}`,
    ...decisions.flatMap((decision) => [
      ...(decision.kind === 'merge' ? [] : [titleOf(items, decision.itemId)]),
      ...decisionLines(decision, items),
    ]),
  ];
}

function idsIn(decisions: readonly StoryDecision[]): readonly Id<'item'>[] {
  const ids = decisions.flatMap(({ itemId, detail }) => [
    itemId,
    ...(detail.readingOf === undefined ? [] : [detail.readingOf]),
    ...(detail.copyOf === undefined ? [] : [detail.copyOf]),
    ...(detail.verdicts ?? []).map(({ closestId }) => closestId),
  ]);
  return [...new Set(ids)];
}

type Items = ReadonlyMap<Id<'item'>, PlacedItem>;

function titleOf(items: Items, id: Id<'item'>): string {
  const item = items.get(id);
  if (item === undefined) return `“${id}”`;
  return item.withdrawn ? `“${id}”, withdrawn` : `“${item.title}”`;
}

const reasons: Readonly<Record<string, string>> = {
  roundup: 'It lists several events, so it joins no story.',
  'no-candidates': 'No item of the 14 days before shares a distinctive word with it.',
  'none-likely': 'No story was likely enough to be the same event.',
  clash: 'A story was likely enough, but a contradiction excludes the item.',
};

function decisionLines(decision: StoryDecision, items: Items): readonly string[] {
  const { kind, storyId, otherStoryId, detail, ruleVersion } = decision;
  const when = `${isoMilliseconds(decision.decidedAt)}, rules ${ruleVersion}`;
  const verdicts = (detail.verdicts ?? []).flatMap((verdict) => verdictLines(verdict, items));
  const lines: Readonly<Record<StoryDecision['kind'], () => readonly string[]>> = {
    'same reading': () => [
      `it reads nearly the same as ${titleOf(items, detail.readingOf as Id<'item'>)} and followed it.`,
    ],
    join: () => [`it joined story ${storyId}, the likeliest of ${detail.candidates}.`, ...verdicts],
    open: () => [`it opened story ${storyId}. ${reasons[detail.reason ?? ''] ?? ''}`, ...verdicts],
    'no story': () => [reasons[detail.reason ?? ''] ?? ''],
    merge: () => [
      ruleVersion === 'editor'
        ? `an editor merged story ${otherStoryId} into story ${storyId}.`
        : `story ${otherStoryId} became part of story ${storyId}: with ${titleOf(items, decision.itemId)} they were one event with a likelihood of ${percent(detail.likelihood ?? 0)}.`,
    ],
    split: () => [`an editor moved it from story ${otherStoryId} to story ${storyId}.`],
  };
  const [first = '', ...more] = lines[kind]();
  const copied =
    detail.copyOf === undefined
      ? []
      : [`    It copies the text of ${titleOf(items, detail.copyOf)}: both count as one independent source.`];
  return [`  ${when}: ${first}`, ...copied, ...more];
}

function verdictLines(verdict: StoredVerdict, items: Items): readonly string[] {
  const { storyId, likelihood, founderLikelihood, clash, closestId, features } = verdict;
  const exclusions = {
    version: '; excluded: another version of the same thing',
    'unlike-founder': `; excluded: its first item is about something else (${percent(founderLikelihood)})`,
  };
  return [
    `    ${percent(likelihood)} story ${storyId}${clash === null ? '' : exclusions[clash]}`,
    `      closest item: ${titleOf(items, closestId)}`,
    `      ${describeFeatures(features)}`,
  ];
}

/** The understandable features, in words. */
function describeFeatures(features: Partial<PairFeatures>): string {
  const { titleCosine = 0, rarest = 0, nameRarity = 0, daysApart = 0 } = features;
  const said = [
    `titles ${percent(titleCosine)} alike`,
    rarest >= 0.6 ? 'a rare word in common' : rarest > 0 ? 'common words in common' : 'no word in common',
    nameRarity > 0 ? 'names in common' : 'no name in common',
  ];
  const facts: readonly [keyof PairFeatures, string][] = [
    ['quantityMatch', 'the same figure'],
    ['quantityClash', 'different figures'],
    ['versionMatch', 'the same version'],
    ['versionClash', 'another version'],
    ['companyClash', 'different companies'],
    ['sameAddress', 'the same address'],
  ];
  for (const [name, words] of facts) if ((features[name] ?? 0) > 0) said.push(words);
  said.push(daysApart < 1 ? 'within a day' : `${daysApart.toFixed(1)} days apart`);
  return said.join(', ');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
