import { hourMicroseconds } from '../../foundation/instant.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText, readerLanguageOf } from '../../foundation/reader-language.ts';
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

/** A story in the words of one language. */
export interface WordedStory extends recorded.RecordedStory {
  /** Of title and digest. */
  readonly language: ReaderLanguage;
}

/** In the first of these languages in which it has a report; otherwise as it was first reported. */
export function wordStory(story: recorded.RecordedStory, languages: readonly ReaderLanguage[]): WordedStory {
  const { titleBy, ...rest } = story;
  const own = {
    language: languageOfText(story.title),
    title: story.title,
    digest: story.digest,
    ...(titleBy !== undefined && { titleBy }),
  };
  const [version] = languages.flatMap((wanted) =>
    story.versions.filter(({ language }) => language === wanted),
  );
  return {
    ...rest,
    ...(version ?? own),
    links: story.links.map((linked) => ({ ...linked, title: titleIn(linked, languages) })),
  };
}

/** In the first of these languages in which it has a report; otherwise as it was first reported. */
export function titleIn(
  { title, titles }: Pick<recorded.LinkedStory, 'title' | 'titles'>,
  languages: readonly ReaderLanguage[],
): string {
  const language = languages.find((one) => titles[one] !== undefined);
  return language === undefined || language === languageOfText(title) ? title : (titles[language] ?? title);
}

/** Its digest; without one, the summary of its newest report in the same language. */
export function storySummary({ digest, items, language, title }: WordedStory): string {
  const newest = items.find((item) => readerLanguageOf(item.language, item.title) === language);
  return digest?.text ?? newest?.summary ?? title;
}

export function presentStory(story: WordedStory, addresses: Addresses, now: EpochMicroseconds): Story {
  const referencesOf = (kind: recorded.LinkedStory['kind']): StoryReference[] =>
    story.links.filter((one) => one.kind === kind).map((one) => presentReference(one, addresses));
  return {
    publicId: story.id,
    title: story.title,
    ...(story.titleBy !== undefined && { titleBy: story.titleBy }),
    language: story.language,
    status: isSettled(story, now) ? 'settled' : 'active',
    sourceCount: story.sourceCount,
    reportCount: story.reportCount,
    firstReportAt: formatInstant(story.firstReportAt),
    latestAt: formatInstant(story.latestAt),
    links: { story: addresses.story(story.id) },
    digest: presentDigest(story.digest),
    versions: story.versions.map((one) => ({ ...one, digest: presentDigest(one.digest) })),
    languages: [...new Set(story.items.map(languageTag))],
    reports: story.items.map((item) => presentItem(item, addresses)),
    storyline: referencesOf('storyline'),
    related: referencesOf('related'),
  };
}

function languageTag({ language, title }: recorded.StoryItem): string {
  return readerLanguageOf(language, title) ?? language ?? 'und';
}

function presentDigest(digest: recorded.StoryDigest | null): Story['digest'] {
  if (digest === null) return null;
  const { text, updatedAt, sentences, contradictions } = digest;
  return {
    text,
    updatedAt,
    sentences: sentences.map(({ text: words, cites, quotes }) => ({
      text: words,
      cites: [...cites],
      ...(quotes !== undefined && {
        quotes: quotes.map(({ itemId, sourceName, spans, textHash, saltRevision }) => ({
          itemId,
          sourceName,
          spans: [...spans],
          textHash,
          saltRevision,
        })),
      }),
    })),
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
