import { hourMicroseconds } from '../../foundation/instant.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { recorded } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import { formatInstant } from '../json-body.ts';
import type { Story, StoryReference } from './story-schema.ts';

const settledAfter = 72n * hourMicroseconds;

/** Whether no item was added for three days. */
export function isSettled(
  { latestAt }: Pick<recorded.RecordedStory, 'latestAt'>,
  now: EpochMicroseconds,
): boolean {
  return now - latestAt >= settledAfter;
}

export function presentStory(
  story: recorded.RecordedStory,
  addresses: Addresses,
  now: EpochMicroseconds,
): Story {
  const referencesOf = (kind: recorded.LinkedStory['kind']): StoryReference[] =>
    story.links.filter((one) => one.kind === kind).map((one) => presentReference(one, addresses));
  return {
    publicId: story.id,
    title: story.title,
    status: isSettled(story, now) ? 'settled' : 'active',
    sourceCount: story.sourceCount,
    reportCount: story.reportCount,
    firstReportAt: formatInstant(story.firstReportAt),
    latestAt: formatInstant(story.latestAt),
    links: { story: addresses.story(story.id) },
    digest: presentDigest(story.digest),
    reports: story.items.map((item) => presentItem(item, addresses)),
    storyline: referencesOf('storyline'),
    related: referencesOf('related'),
  };
}

function presentDigest(digest: recorded.StoryDigest | null): Story['digest'] {
  if (digest === null) return null;
  const { text, updatedAt, sentences, contradictions } = digest;
  return {
    text,
    updatedAt,
    sentences: sentences.map((sentence) => ({ text: sentence.text, cites: [...sentence.cites] })),
    contradictions: contradictions.map(({ statement, earlier, later }) => ({
      statement,
      earlier: [...earlier],
      later: [...later],
    })),
  };
}

function presentReference(linked: recorded.LinkedStory, addresses: Addresses): StoryReference {
  const { id, title, kind, isEarlier } = linked;
  return {
    publicId: id,
    title,
    relation: kind === 'related' ? 'related' : isEarlier ? 'predecessor' : 'successor',
    links: { story: addresses.story(id), api: addresses.storyApi(id) },
  };
}

function presentItem(item: recorded.StoryItem, addresses: Addresses): Story['reports'][number] {
  return {
    id: item.id,
    title: item.title,
    language: item.language,
    summary: item.summary,
    source: { name: item.sourceName, firstParty: item.firstParty },
    publishedAt: formatInstant(item.publishedAt),
    discoveredAt: formatInstant(item.discoveredAt),
    links: { item: addresses.item(item.id), original: item.originalUrl },
  };
}
