import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { textLanguage } from '../extract/text-language.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import { upsertDomainDue } from '../leases/domain-lease-store.ts';
import type { ParsedEntry, ParsedFeed } from '../parse/feed.ts';
import { oneLine } from '../parse/html-text.ts';
import type { Source } from '../sources/source.ts';
import type { EntryId, NewEntry } from './entry-store.ts';
import {
  insertEntries,
  insertKeys,
  insertSightings,
  markImported,
  readByAddress,
  readChangedEntries,
  readKnownKeys,
  reviseEntry,
} from './entry-store.ts';
import { markLeftEntries, markListedAgain, requestPages } from './left-entry-store.ts';

export interface LandDeps {
  readonly ids: IdSource;
}

export interface FeedToLand {
  readonly source: Source;
  readonly feed: ParsedFeed;
  readonly now: EpochMicroseconds;
  readonly isFirstImport: boolean;
}

export interface LandedFeed {
  readonly landed: number;
  readonly revised: number;
  /** Articles that another source listed first. */
  readonly sighted: number;
}

export const firstImportMax = 30;
const textCharsMax = 50_000;
const titleCharsMax = 500;

/**
 * Stores the new and edited entries of a list, in the caller's transaction; publication finds them by their unpublished
 * revision. Landing the same list again changes nothing: any key identifies an entry, and a wording that the entry has
 * had before is no revision.
 */
export async function landFeed(
  deps: LandDeps,
  transaction: Transaction<DB>,
  request: FeedToLand,
): Promise<LandedFeed> {
  const { source, feed, now } = request;
  const known = await readKnownKeys(transaction, source.id, feed.entries.flatMap(keysOf));
  const places = feed.entries.map((entry) => ({ entry, stored: storedUnder(entry, known) }));
  const standing = places.flatMap(({ stored }) => stored ?? []);
  const changed = await readChangedEntries(transaction, source.id, listedEntries(places));
  await markListedAgain(transaction, changed.returned);
  const fresh = places.filter(({ stored }) => stored === undefined).map(({ entry }) => entry);
  const [toLand, leftOut] = request.isFirstImport ? newestFirst(fresh, firstImportMax) : [fresh, []];
  const landing = toLand.map((entry) => ({ entry, row: newEntry(deps, request, entry) }));
  for (const domain of new Set(toLand.flatMap((entry) => pageDomainOf(entry, source) ?? [])))
    await upsertDomainDue(transaction, domain, now);
  const inserted = await insertEntries(
    transaction,
    landing.map(({ row }) => row),
  );
  const owners = await sightKnownArticles(transaction, request, landing, inserted);
  const edited = await reviseEdited(transaction, request, places, changed.edited);
  await insertKeys(transaction, source.id, [
    ...leftOut.flatMap((entry) => keysOf(entry).map((key) => ({ key, entryId: null }))),
    ...landing.flatMap(({ entry, row }) =>
      keysOf(entry).map((key) => ({ key, entryId: owners.get(row.id) ?? row.id })),
    ),
    // A publisher that changes all guids creates no duplicates; the new guids are stored too.
    ...places.flatMap(({ entry, stored }) =>
      stored === undefined
        ? []
        : keysOf(entry)
            .filter((key) => !known.has(key.toString('hex')))
            .map((key) => ({ key, entryId: stored })),
    ),
  ]);
  if (request.isFirstImport) await markImported(transaction, source.id, now);
  await askForLeftEntries(transaction, request, [
    ...standing,
    ...landing.map(({ row }) => owners.get(row.id) ?? row.id),
  ]);
  return { landed: inserted.size, revised: edited, sighted: owners.size };
}

/** Requests the pages of entries that are missing from the list. A page that answers 410 withdraws its entry. */
async function askForLeftEntries(
  transaction: Transaction<DB>,
  { source, now }: FeedToLand,
  listed: readonly EntryId[],
): Promise<void> {
  if (source.participation === 'isolated') return;
  const left = await markLeftEntries(transaction, { sourceId: source.id, listed, now });
  // A publisher can withdraw only articles on its own domain.
  const own = left.filter(({ url }) => registrableDomain(new URL(url)) === source.domain);
  if (own.length === 0) return;
  const ids = own.map(({ id }) => id);
  await upsertDomainDue(transaction, source.domain, now);
  await requestPages(transaction, ids, source.domain);
}

export function keysOf({ keys }: ParsedEntry): Buffer[] {
  return keys.map(({ value }) => Buffer.from(value, 'hex'));
}

/** Undefined: not known. Null: left out of the first import. */
export function storedUnder(
  entry: ParsedEntry,
  known: ReadonlyMap<string, EntryId | null>,
): EntryId | null | undefined {
  const key = entry.keys.find(({ value }) => known.has(value));
  return key === undefined ? undefined : known.get(key.value);
}

/** Newest first by their own dates; entries without dates stay in the order of the list. */
export function newestFirst(
  entries: readonly ParsedEntry[],
  count: number,
): readonly [readonly ParsedEntry[], readonly ParsedEntry[]] {
  const at = (entry: ParsedEntry): bigint => entry.published.instant ?? entry.updated.instant ?? 0n;
  const ordered = entries.toSorted((one, other) => Number(at(other) - at(one)));
  return [ordered.slice(0, count), ordered.slice(count)];
}

function newEntry(
  { ids }: LandDeps,
  { source, feed, now, isFirstImport }: FeedToLand,
  entry: ParsedEntry,
): NewEntry {
  // Without a publication date, the first update date that was seen is used.
  const date = entry.published.raw === null ? entry.updated : entry.published;
  const isKnownByAddress = entry.keys.some(({ from }) => from === 'address');
  const addressKey =
    source.participation === 'isolated' || entry.addressKey === null || !isKnownByAddress
      ? null
      : sha256Bytes(entry.addressKey);
  return {
    id: ids.next(),
    sourceId: source.id,
    addressKey,
    url: entry.link ?? feed.homepage ?? source.homepageUrl ?? source.feedUrl,
    ...wordingOf(entry, feed, source),
    publishedAt: date.instant !== null && date.instant <= now ? date.instant : null,
    publishedRaw: date.raw === null ? null : oneLine(date.raw).slice(0, 200),
    discoveredAt: now,
    firstImport: isFirstImport,
    pageDomain: pageDomainOf(entry, source),
    isDeclined: source.participation === 'isolated',
  };
}

/** The domain of the page to fetch before the entry is published; null: no page is fetched. */
function pageDomainOf({ link, linkIsRedirector }: ParsedEntry, source: Source): string | null {
  if (!source.fullText || source.participation === 'isolated') return null;
  return link === null || linkIsRedirector ? null : registrableDomain(new URL(link));
}

function wordingOf(
  entry: ParsedEntry,
  feed: ParsedFeed,
  source: Source,
): Pick<NewEntry, 'title' | 'text' | 'language' | 'fingerprint'> {
  const longer = entry.content.length >= entry.summary.length ? entry.content : entry.summary;
  const text = longer.slice(0, textCharsMax);
  const [firstLine = ''] = text.split('\n', 1);
  const title = (entry.title === '' ? firstLine || (entry.link ?? source.name) : entry.title).slice(
    0,
    titleCharsMax,
  );
  return {
    title,
    text,
    language: textLanguage(`${title}\n${text}`, entry.language ?? source.language ?? feed.language),
    fingerprint: Buffer.from(entry.fingerprint, 'hex'),
  };
}

interface Landing {
  readonly entry: ParsedEntry;
  readonly row: NewEntry;
}

/** Stores sightings of articles that are known already. Returns the known entries by the id of the entry that was not inserted. */
async function sightKnownArticles(
  transaction: Transaction<DB>,
  { source, now }: FeedToLand,
  landing: readonly Landing[],
  inserted: ReadonlySet<EntryId>,
): Promise<ReadonlyMap<EntryId, EntryId>> {
  const refused = landing.map(({ row }) => row).filter(({ id }) => !inserted.has(id));
  const addresses = refused.flatMap(({ addressKey }) => addressKey ?? []);
  const known = await readByAddress(transaction, addresses);
  const found = refused.flatMap((row) => {
    const entry = known.get(row.addressKey?.toString('hex') ?? '');
    return entry === undefined ? [] : [{ row, entry }];
  });
  await insertSightings(
    transaction,
    source.id,
    now,
    found
      .filter(({ entry }) => entry.sourceId !== source.id)
      .map(({ row, entry }) => ({ entryId: entry.id, title: row.title })),
  );
  return new Map(found.map(({ row, entry }) => [row.id, entry.id]));
}

interface Place {
  readonly entry: ParsedEntry;
  /** Undefined: not known. Null: left out of the first import. */
  readonly stored: EntryId | null | undefined;
}

function listedEntries(places: readonly Place[]): Parameters<typeof readChangedEntries>[2] {
  return places.flatMap(({ entry, stored }) =>
    stored === undefined || stored === null
      ? []
      : [{ entryId: stored, fingerprint: Buffer.from(entry.fingerprint, 'hex') }],
  );
}

async function reviseEdited(
  transaction: Transaction<DB>,
  { source, feed, now }: FeedToLand,
  places: readonly Place[],
  unseen: ReadonlySet<EntryId>,
): Promise<number> {
  const left = new Set(unseen);
  let edited = 0;
  for (const { stored: id, entry } of places) {
    // One revision per list, even if two elements are the same entry.
    if (id === undefined || id === null || !left.delete(id)) continue;
    const pageDomain = pageDomainOf(entry, source);
    if (pageDomain !== null) await upsertDomainDue(transaction, pageDomain, now);
    await reviseEntry(transaction, {
      id,
      pageDomain,
      isDeclined: source.participation === 'isolated',
      ...wordingOf(entry, feed, source),
    });
    edited += 1;
  }
  return edited;
}
