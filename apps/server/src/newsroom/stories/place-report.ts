import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type {
  Assignment,
  CorpusStatistics,
  EntryTerms,
  ReadReport,
  StoryCandidate,
  StoryModel,
  Term,
  WeighedEntry,
} from './matching/index.ts';
import {
  assignReport,
  indexTerms,
  isSameReading,
  postedTerms,
  rarity,
  readingTerms,
  restoreFacts,
  weighEntry,
  weighStored,
} from './matching/index.ts';
import type { CandidateQuery, IndexedReport, ReadingQuery } from './story-index-store.ts';
import { lockStoryCorpus, readComparableReports } from './story-index-store.ts';

const dayMs = 86_400_000;
export const windowDays = 14;
const readingDays = 3;
const readingCandidatesMax = 20;
const candidatesMax = 40;
const queryTermsMax = 32;
const postingsPerTermMax = 120;
/** Commoner terms find nothing that rarer ones do not. */
const rarityMin = 0.2;

/** A story as it was compared, with which report each member is. */
export interface ComparedStory extends StoryCandidate<Id<'story'>> {
  readonly itemIds: ReadonlyMap<WeighedEntry, Id<'item'>>;
  /** The arrival of its founder: the older of two stories survives. */
  readonly founded: bigint;
}

/** Where a report belongs. Nothing is written yet. */
export interface Placement {
  readonly statistics: CorpusStatistics;
  readonly report: WeighedEntry;
  /** The near-identical report it follows, and otherwise how it was assigned. */
  readonly decision: IndexedReport | Assignment<Id<'story'>>;
  readonly candidates: readonly ComparedStory[];
}

/**
 * Reads the index under its lock, which is held until the transaction ends. Cost is bounded: so many terms, so many
 * reports per term, so many stories, so many reports per story.
 */
export async function placeReport(
  transaction: Transaction<DB>,
  model: StoryModel,
  { report, at }: { readonly report: ReadReport; readonly at: EpochMicroseconds },
): Promise<Placement> {
  const { reports, reportsWith } = await lockStoryCorpus(transaction, [...indexTerms(report.terms).keys()]);
  // The report itself counts: a term it alone holds was seen once.
  const statistics: CorpusStatistics = {
    reports: reports + 1,
    reportsWith: (term) => (reportsWith.get(term) ?? 0) + 1,
  };
  const weighed = weighEntry(report.terms, statistics);
  const none = { statistics, report: weighed, candidates: [] };
  if (report.terms.roundup) return { ...none, decision: assignReport(weighed, [], model) };
  const { readings, members } = await readComparableReports(
    transaction,
    readingQuery(report, at),
    candidateQuery(report.terms, statistics, at),
  );
  const twin = findReading(report, readings);
  if (twin !== null) return { ...none, decision: twin };
  const stories = Map.groupBy(members, ({ storyId }) => storyId);
  const candidates = [...stories].flatMap(([id, ofStory]) =>
    comparedStory(id, ofStory, weighed, statistics.reports),
  );
  return { ...none, candidates, decision: assignReport(weighed, candidates, model) };
}

function findReading(report: ReadReport, readings: readonly IndexedReport[]): IndexedReport | null {
  const isSame = ({ stored }: IndexedReport): boolean =>
    isSameReading(report, { signature: stored.signature, terms: restoreFacts(stored) });
  return readings.find(isSame) ?? null;
}

export function readingQuery(report: ReadReport, at: EpochMicroseconds): ReadingQuery {
  return {
    keys: readingTerms(report),
    from: addMs(at, -readingDays * dayMs),
    to: addMs(at, readingDays * dayMs),
    reportsMax: readingCandidatesMax,
  };
}

export function candidateQuery(
  terms: EntryTerms,
  statistics: CorpusStatistics,
  at: EpochMicroseconds,
): CandidateQuery {
  const gains = Array.from(postedTerms(terms), ([term, weight]): readonly [Term, number] => {
    const rare = rarity(term, statistics);
    return [term, rare < rarityMin ? 0 : weight * rare ** 2];
  });
  return {
    gains: gains
      .filter(([, gain]) => gain > 0)
      .sort(([, one], [, other]) => other - one)
      .slice(0, queryTermsMax),
    from: addMs(at, -windowDays * dayMs),
    to: addMs(at, windowDays * dayMs),
    postingsPerTermMax,
    storiesMax: candidatesMax,
  };
}

function comparedStory(
  id: Id<'story'>,
  members: readonly IndexedReport[],
  report: WeighedEntry,
  reports: number,
): readonly ComparedStory[] {
  const itemIds = new Map(
    members.map(({ itemId, stored }) => [weighStored(stored, report, reports), itemId]),
  );
  const [founder, ...others] = itemIds.keys();
  const [first] = members;
  if (founder === undefined || first === undefined) return [];
  return [{ id, members: [founder, ...others], itemIds, founded: first.arrived }];
}
