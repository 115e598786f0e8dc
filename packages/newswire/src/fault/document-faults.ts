import type { FeedDocument, FeedEntry } from '../feed/feed-document.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import type { DocumentFault, Fault } from './fault.ts';

interface Moment {
  readonly now: Micros;
  /** How many times the feed has been requested. */
  readonly nth: number;
}

type FaultOf<Kind extends DocumentFault['kind']> = Extract<DocumentFault, { kind: Kind }>;

type Spoilers = {
  readonly [Kind in DocumentFault['kind']]: (
    feed: FeedDocument,
    fault: FaultOf<Kind>,
    moment: Moment,
  ) => FeedDocument;
};

const spoilers: Spoilers = {
  empty: (feed) => ({ ...feed, entries: [] }),
  encoding: (feed, { declared }) => ({ ...feed, encoding: declared ?? '' }),
  dates: (feed, { style }, { now }) => spoilDates(feed, style, now),
  guids: (feed, { style }, { nth }) => spoilGuids(feed, style, nth),
  'rotating-titles': (feed, _, { nth }) =>
    withEntries(feed, (entry) => ({ ...entry, title: turnedTitle(entry.title, nth) })),
  'repeated-entries': (feed) => ({ ...feed, entries: feed.entries.flatMap((entry) => [entry, entry]) }),
  'relative-links': (feed) =>
    withEntries(feed, (entry) => ({ ...entry, link: entry.link.replace(/^http:\/\/[^/]+/, '') })),
  // This fault is in the written text: see spoilText.
  malformed: (feed) => feed,
};

export function isDocumentFault(fault: Fault): fault is DocumentFault {
  return Object.hasOwn(spoilers, fault.kind);
}

/** The feed with its fault, before it is written. */
export function spoilDocument(feed: FeedDocument, fault: DocumentFault, moment: Moment): FeedDocument {
  const spoil = spoilers[fault.kind] as (
    feed: FeedDocument,
    fault: DocumentFault,
    moment: Moment,
  ) => FeedDocument;
  return spoil(feed, fault, moment);
}

function withEntries(feed: FeedDocument, change: (entry: FeedEntry, at: number) => FeedEntry): FeedDocument {
  return { ...feed, entries: feed.entries.map(change) };
}

function spoilDates(feed: FeedDocument, style: FaultOf<'dates'>['style'], now: Micros): FeedDocument {
  if (style === 'without-zone' || style === 'unreadable') return { ...feed, dates: style };
  const dates = { future: now + 72 * microsPerHour, same: now, missing: null };
  return withEntries(feed, (entry) => ({ ...entry, published: dates[style], updated: null }));
}

function spoilGuids(feed: FeedDocument, style: FaultOf<'guids'>['style'], nth: number): FeedDocument {
  const [first] = feed.entries;
  const guidOf = ({ guid }: FeedEntry, at: number): string | null => {
    if (style === 'missing') return null;
    if (style === 'duplicate') return first?.guid ?? null;
    return `${guid ?? ''}#${nth}-${at}`;
  };
  return withEntries(feed, (entry, at) => ({ ...entry, guid: guidOf(entry, at), guidIsAddress: false }));
}

function turnedTitle(title: string, nth: number): string {
  return nth % 2 === 0 ? title : `▶ ${title.toUpperCase()}`;
}

/** The written feed, where the fault is in its text. */
export function spoilText(text: string, how: FaultOf<'malformed'>['how']): string {
  if (how === 'blank-before-declaration') return `\n  ${text}`;
  if (how === 'unclosed') return text.slice(0, Math.floor(text.length * 0.7));
  return how === 'control-character' ? text.replace('<title>', '<title>\u0001\u0008') : withEntityBomb(text);
}

/** Ten times ten entities deep: it would unfold to ten thousand million characters. */
function withEntityBomb(text: string): string {
  const levels = Array.from({ length: 10 }, (_, level) => {
    const value = level === 0 ? 'laughing' : `&e${level - 1};`.repeat(10);
    return `<!ENTITY e${level} "${value}">`;
  });
  return text.replace('?>', `?>\n<!DOCTYPE feed [${levels.join('')}]>`).replace('<title>', '<title>&e9;');
}
