import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addressKey, articleAddress } from './article-address.ts';
import { entryKeys } from './entry-keys.ts';
import type { EntryDraft, FeedDraft, RichText } from './feed-draft.ts';
import type { ParsedEntry, ParsedFeed } from './feed.ts';
import { htmlText, looksLikeHtml, oneLine, plainText, titleText } from './html-text.ts';
import { revisionFingerprint } from './revision-fingerprint.ts';
import { isSharedByAll, stateDate, withoutSharedDate } from './stated-dates.ts';
import { assumedOffsetOf } from './time-zone.ts';

export interface AssembleOptions {
  readonly format: ParsedFeed['format'];
  readonly encoding: string;
  readonly receivedAt: EpochMicroseconds;
  /** `+08:00`: the offset of dates without a zone; by default from the language. */
  readonly assumedOffset: string | null;
  /** The language of the source, for feeds that state none. */
  readonly language: string | null;
  readonly endedEarly: boolean;
  readonly entriesBeyondBound: number;
}

const titleCharsMax = 1_000;
const summaryCharsMax = 20_000;
const contentCharsMax = 200_000;
const namesMax = 20;
const nameCharsMax = 200;

/** The rules for all formats: dates, identity, addresses, text, bounds. */
export function assembleFeed(draft: FeedDraft, options: AssembleOptions): ParsedFeed {
  const language = languageTag(draft.language) ?? options.language;
  const rules = {
    receivedAt: options.receivedAt,
    assumedOffset: options.assumedOffset ?? assumedOffsetOf(language),
  };
  const titles = draft.entries.map(({ title }) => lineText(title));
  const keys = entryKeys(
    draft.entries.map((entry, at) => ({ ...entry, title: titles[at] ?? '' })),
    draft.homepage,
  );
  const published = draft.entries.map((entry) => stateDate(entry.published, rules));
  const updated = draft.entries.map((entry) => stateDate(entry.updated, rules));
  const isShared = isSharedByAll(published);
  const seen = new Set<string>();
  const entries: ParsedEntry[] = [];
  let repeatedEntries = 0;
  for (const [at, entry] of draft.entries.entries()) {
    const [ownKeys, stated, revised] = [keys[at], published[at], updated[at]];
    if (ownKeys === undefined || stated === undefined || revised === undefined) continue;
    const parsed = {
      keys: ownKeys,
      ...entryTexts(entry, titles[at] ?? ''),
      ...entryLinks(entry),
      published: isShared ? withoutSharedDate(stated) : stated,
      updated: revised,
      language: languageTag(entry.language) ?? language,
    };
    if (seen.has(ownKeys[0].value)) repeatedEntries += 1;
    else entries.push(parsed);
    seen.add(ownKeys[0].value);
  }
  return {
    format: options.format,
    encoding: options.encoding,
    title: lineText(draft.title),
    homepage: draft.homepage,
    id: draft.id,
    language,
    published: stateDate(draft.published, rules),
    updated: stateDate(draft.updated, rules),
    pace: draft.pace,
    webSub: { hubs: draft.hubs.slice(0, 5), self: draft.self },
    newAddress: draft.newAddress,
    entries,
    omitted: {
      endedEarly: options.endedEarly,
      entriesBeyondBound: options.entriesBeyondBound,
      repeatedEntries,
    },
  };
}

type EntryTexts = Pick<
  ParsedEntry,
  'guid' | 'title' | 'summary' | 'content' | 'authors' | 'categories' | 'fingerprint' | 'origin'
>;

function entryTexts(entry: EntryDraft, title: string): EntryTexts {
  const summary = blockText(entry.summary, summaryCharsMax);
  const content = blockText(entry.content, contentCharsMax);
  const origin =
    entry.origin === null
      ? null
      : { ...entry.origin, name: titleText(entry.origin.name).slice(0, nameCharsMax) };
  return {
    guid: entry.guid,
    title: origin === null ? title : withoutPublisher(title, origin.name),
    summary,
    content,
    authors: names(entry.authors),
    categories: names(entry.categories),
    origin,
    fingerprint: revisionFingerprint(title, content === '' ? summary : content),
  };
}

/** Removes the publisher that aggregators append to titles: `What happened - Publisher`. */
function withoutPublisher(title: string, publisher: string): string {
  const mark = ['-', '–', '—', '|'].find((one) => title.endsWith(` ${one} ${publisher}`));
  if (mark === undefined || publisher === '') return title;
  return title.slice(0, -` ${mark} ${publisher}`.length).trim() || title;
}

function entryLinks(
  entry: EntryDraft,
): Pick<ParsedEntry, 'link' | 'linkIsRedirector' | 'addressKey' | 'image' | 'enclosures' | 'comments'> {
  const article = entry.link === null ? null : articleAddress(entry.link);
  return {
    link: article?.url ?? null,
    linkIsRedirector: article?.isRedirector ?? false,
    addressKey: article === null ? null : addressKey(article.url),
    image: entry.image,
    enclosures: entry.enclosures,
    comments: entry.comments,
  };
}

function lineText(rich: RichText | null): string {
  if (rich === null) return '';
  const source = rich.text.slice(0, titleCharsMax * 10);
  const line =
    rich.form === 'plain'
      ? oneLine(source)
      : rich.form === 'html'
        ? oneLine(htmlText(source))
        : titleText(source);
  return clip(line, titleCharsMax);
}

function blockText(rich: RichText | null, charsMax: number): string {
  if (rich === null) return '';
  // Markup is at most a few times as long as its text; longer markup is truncated.
  const source = rich.text.slice(0, charsMax * 10);
  const isHtml = rich.form === 'html' || (rich.form === 'unknown' && looksLikeHtml(source));
  return clip(isHtml ? htmlText(source) : plainText(source), charsMax);
}

/** Never splits a surrogate pair. */
function clip(text: string, charsMax: number): string {
  return text.length <= charsMax
    ? text
    : text
        .slice(0, charsMax)
        .toWellFormed()
        .replace(/\ufffd$/u, '');
}

function names(values: readonly string[]): readonly string[] {
  const lines = values
    .slice(0, namesMax)
    .map((value) => titleText(value.slice(0, 2_000)).slice(0, nameCharsMax));
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** Normalises `zh_CN` and `EN-us` to BCP 47; null: no language tag. */
function languageTag(text: string | null): string | null {
  const tag = text?.trim().replaceAll('_', '-') ?? '';
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/iu.test(tag)) return null;
  return Intl.getCanonicalLocales(tag)[0] ?? null;
}
