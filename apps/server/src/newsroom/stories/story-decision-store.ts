import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { CandidateVerdict } from './matching/assign-item.ts';
import type { PairFeatures } from './matching/pair-features.ts';

/** The numeric judgement of a candidate story. */
export interface StoredVerdict {
  readonly storyId: Id<'story'>;
  readonly likelihood: number;
  readonly founderLikelihood: number;
  readonly clash: CandidateVerdict<unknown>['clash'];
  /** The most similar item of the story. */
  readonly closestId: Id<'item'>;
  /** Of that item; without zeros. */
  readonly features: Partial<PairFeatures>;
}

export type StoryDecisionKind = 'open' | 'join' | 'same reading' | 'no story' | 'merge' | 'split';

export interface StoryDecision {
  readonly decidedAt: EpochMicroseconds;
  readonly kind: StoryDecisionKind;
  readonly itemId: Id<'item'>;
  readonly storyId: Id<'story'> | null;
  readonly otherStoryId: Id<'story'> | null;
  readonly ruleVersion: string;
  readonly detail: {
    /** Why a story was opened. */
    readonly reason?: string;
    /** The near-identical item. */
    readonly readingOf?: Id<'item'>;
    /** The item whose text it copies: both count as one independent source. */
    readonly copyOf?: Id<'item'>;
    readonly candidates?: number;
    /** The most likely ones. */
    readonly verdicts?: readonly StoredVerdict[];
    readonly likelihood?: number;
  };
}

/** In this order. */
export async function insertStoryDecisions(
  database: Database,
  decisions: readonly StoryDecision[],
): Promise<void> {
  if (decisions.length === 0) return;
  await sql`${preparedAs('insert-story-decisions')}
    INSERT INTO newsroom.story_decision
      (decided_at, kind, item_id, story_id, other_story_id, rule_version, detail)
    SELECT decided_at, kind, item_id, story_id, other_story_id, rule_version, detail::jsonb
    FROM unnest(
      ${decisions.map(({ decidedAt }) => toTimestamptz(decidedAt))}::timestamptz[],
      ${decisions.map(({ kind }) => kind)}::text[],
      ${decisions.map(({ itemId }) => itemId)}::uuid[],
      ${decisions.map(({ storyId }) => storyId)}::uuid[],
      ${decisions.map(({ otherStoryId }) => otherStoryId)}::uuid[],
      ${decisions.map(({ ruleVersion }) => ruleVersion)}::text[],
      ${decisions.map(({ detail }) => JSON.stringify(detail))}::text[])
      WITH ORDINALITY AS decision (decided_at, kind, item_id, story_id, other_story_id, rule_version, detail, place)
    ORDER BY place`.execute(database);
}

/** Oldest first. */
export async function readDecisionsOfItem(
  database: Database,
  itemId: Id<'item'>,
): Promise<readonly StoryDecision[]> {
  const rows = await database
    .selectFrom('newsroom.story_decision')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('id')
    .execute();
  return rows.map(decisionOf);
}

/** Decisions that added an item, merged the story or split it; the oldest, up to a limit. */
export async function readDecisionsOfStory(
  database: Database,
  storyId: Id<'story'>,
  countMax: number,
): Promise<readonly StoryDecision[]> {
  const rows = await database
    .selectFrom('newsroom.story_decision')
    .selectAll()
    .where((where) => where.or([where('story_id', '=', storyId), where('other_story_id', '=', storyId)]))
    .orderBy('id')
    .limit(countMax)
    .execute();
  return rows.map(decisionOf);
}

/** Whether one of the two was once split off the other: an editor has decided that they differ. */
export async function wereSplit(database: Database, one: Id<'story'>, other: Id<'story'>): Promise<boolean> {
  const { rows } = await sql<{ split: boolean }>`
    SELECT EXISTS (
      SELECT FROM newsroom.story_decision
      WHERE kind = 'split' AND ((story_id = ${one} AND other_story_id = ${other})
        OR (story_id = ${other} AND other_story_id = ${one}))) AS split`.execute(database);
  return rows[0]?.split === true;
}

export interface PlacedItem {
  readonly title: string;
  readonly storyId: Id<'story'> | null;
  readonly withdrawn: boolean;
}

/** The current placement of these items in the record. */
export async function readPlacedItems(
  database: Database,
  ids: readonly Id<'item'>[],
): Promise<ReadonlyMap<Id<'item'>, PlacedItem>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('record.item')
    .select(['id', 'title', 'story_id', 'withdrawn_at'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(
    rows.map(({ id, title, story_id, withdrawn_at }) => [
      id as Id<'item'>,
      { title, storyId: story_id as Id<'story'> | null, withdrawn: withdrawn_at !== null },
    ]),
  );
}

export async function readStoryTitle(database: Database, id: Id<'story'>): Promise<string | null> {
  const row = await database
    .selectFrom('record.story')
    .select('title')
    .where('id', '=', id)
    .where('merged_into', 'is', null)
    .executeTakeFirst();
  return row?.title ?? null;
}

interface DecisionRow {
  readonly decided_at: string;
  readonly kind: string;
  readonly item_id: string;
  readonly story_id: string | null;
  readonly other_story_id: string | null;
  readonly rule_version: string;
  readonly detail: unknown;
}

function decisionOf(row: DecisionRow): StoryDecision {
  return {
    decidedAt: fromTimestamptz(row.decided_at),
    kind: row.kind as StoryDecision['kind'],
    itemId: row.item_id as Id<'item'>,
    storyId: row.story_id as Id<'story'> | null,
    otherStoryId: row.other_story_id as Id<'story'> | null,
    ruleVersion: row.rule_version,
    detail: row.detail as StoryDecision['detail'],
  };
}
