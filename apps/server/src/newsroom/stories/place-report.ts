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
import type { CandidateQuery, IndexedReport } from './story-index-store.ts';
import { lockStoryCorpus, readCandidateReports, readReadingCandidates } from './story-index-store.ts';

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
  const twin = await findReading(transaction, report, at);
  if (twin !== null) return { ...none, decision: twin };
  const query = candidateQuery(report.terms, statistics, at);
  const candidates = await findCandidates(transaction, weighed, statistics, query);
  return { ...none, candidates, decision: assignReport(weighed, candidates, model) };
}

async function findReading(
  transaction: Transaction<DB>,
  report: ReadReport,
  at: EpochMicroseconds,
): Promise<IndexedReport | null> {
  const span = { from: addMs(at, -readingDays * dayMs), to: addMs(at, readingDays * dayMs) };
  const found = await readReadingCandidates(transaction, readingTerms(report), span, readingCandidatesMax);
  return (
    found.find(({ stored }) =>
      isSameReading(report, { signature: stored.signature, terms: restoreFacts(stored) }),
    ) ?? null
  );
}

async function findCandidates(
  transaction: Transaction<DB>,
  report: WeighedEntry,
  { reports }: CorpusStatistics,
  query: CandidateQuery,
): Promise<readonly ComparedStory[]> {
  const found = await readCandidateReports(transaction, query);
  const stories = Map.groupBy(found, ({ storyId }) => storyId);
  return [...stories].flatMap(([id, members]) => comparedStory(id, members, report, reports));
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
