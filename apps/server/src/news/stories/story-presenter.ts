import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Addresses } from '../addresses.ts';
import { sentInstant, sentInstantOrNull } from '../record-instant.ts';
import type { Story, StoryReference } from './story-schema.ts';
import type { NeighbourRow, StoryReportRow, StoryRow } from './story-store.ts';

const settledAfter = 72n * 3_600_000_000n;

/** A story that stands: it has at least one report. */
export interface StandingStory extends StoryRow {
  readonly first_report_at: string;
  readonly latest_at: string;
}

export function isStanding(row: StoryRow): row is StandingStory {
  return row.reports.length > 0 && row.first_report_at !== null && row.latest_at !== null;
}

export function presentStory(row: StandingStory, addresses: Addresses, now: EpochMicroseconds): Story {
  const settled = now - fromTimestamptz(row.latest_at) >= settledAfter;
  const referencesOf = (kind: NeighbourRow['kind']): StoryReference[] =>
    row.neighbours.filter((one) => one.kind === kind).map((one) => presentReference(one, addresses));
  return {
    publicId: row.id,
    title: row.title,
    status: settled ? 'settled' : 'active',
    sourceCount: row.source_count,
    reportCount: row.report_count,
    firstReportAt: sentInstant(row.first_report_at),
    latestAt: sentInstant(row.latest_at),
    links: { story: addresses.story(row.id) },
    digest: row.digest,
    reports: row.reports.map((report) => presentReport(report, addresses)),
    storyline: referencesOf('storyline'),
    related: referencesOf('related'),
  };
}

function presentReference({ id, title, relation }: NeighbourRow, addresses: Addresses): StoryReference {
  return {
    publicId: id,
    title,
    relation,
    links: { story: addresses.story(id), api: addresses.storyApi(id) },
  };
}

function presentReport(row: StoryReportRow, addresses: Addresses): Story['reports'][number] {
  return {
    id: row.id,
    title: row.title,
    summary: row.summary,
    source: { name: row.source_name, firstParty: row.first_party },
    publishedAt: sentInstantOrNull(row.published_at),
    discoveredAt: sentInstant(row.discovered_at),
    links: { item: addresses.item(row.id), original: row.original_url },
  };
}
