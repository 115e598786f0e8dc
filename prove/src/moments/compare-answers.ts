import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { Erasures } from './erased-words.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = Extract<Json, { readonly [name: string]: Json }>;

/** An answer as readers got it. */
export interface PublicAnswer {
  readonly status: number;
  /** The body without `asOf`; where it leads, for a redirect. */
  readonly body: unknown;
}

export interface ComparedAnswer {
  /** Null: they are equal, except for what was withdrawn or corrected since. */
  readonly fault: string | null;
  readonly isSame: boolean;
}

export interface ComparisonFacts {
  readonly erasures: Erasures;
  readonly moment: EpochMicroseconds;
  /**
   * Entries that can replace others: a report in the language of the list represents an entry, and is absent or replaced if
   * either was withdrawn.
   */
  readonly exchangedMax: number;
}

/** The first field that differs, for the notes of a failed run. */
export function firstDifference(then: unknown, now: unknown, path = ''): string {
  if (JSON.stringify(then) === JSON.stringify(now)) return '';
  if (typeof then !== 'object' || typeof now !== 'object' || then === null || now === null)
    return `${path}: ${JSON.stringify(then)} is now ${JSON.stringify(now)}`;
  const [one, other] = [then, now] as Record<string, unknown>[];
  for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
    const found = firstDifference(one?.[name], other?.[name], `${path}.${name}`);
    if (found !== '') return found;
  }
  return path;
}

/** Compares what readers got with what the server says today that they got. */
export function compareAnswers(
  then: PublicAnswer,
  now: PublicAnswer,
  facts: ComparisonFacts,
): ComparedAnswer {
  if (JSON.stringify(then) === JSON.stringify(now)) return { fault: null, isSame: true };
  const comparison = new Comparison(facts);
  if (then.status !== now.status)
    return { isSame: false, fault: comparison.explainsStatus(then, now) ? null : `status ${now.status}` };
  return { isSame: false, fault: comparison.differs(then.body as Json, now.body as Json, '') };
}

class Comparison {
  readonly #erasures: Erasures;
  readonly #moment: EpochMicroseconds;
  readonly #exchangedMax: number;

  constructor({ erasures, moment, exchangedMax }: ComparisonFacts) {
    this.#erasures = erasures;
    this.#moment = moment;
    this.#exchangedMax = exchangedMax;
  }

  /** A withdrawn item is gone; so is a story all of whose reports were withdrawn. */
  explainsStatus(then: PublicAnswer, now: PublicAnswer): boolean {
    const { item, story } = then.body as { item?: JsonObject; story?: { reports: readonly JsonObject[] } };
    if (item !== undefined) return now.status === 410 && this.#isGone(item);
    return story !== undefined && now.status === 404 && story.reports.every((one) => this.#isGone(one));
  }

  /** An item that was withdrawn, or a section all of whose items were. */
  #isGone({ id, items }: JsonObject): boolean {
    if (isEntries(items)) return items.length > 0 && items.every((one) => this.#isGone(one));
    return typeof id === 'string' && this.#erasures.isWithdrawnSince(id, this.#moment);
  }

  #isErased(value: Json | undefined): boolean {
    return this.#erasures.isErased(JSON.stringify(value ?? null));
  }

  /** Where they differ without a reason; null: nowhere. */
  differs(then: Json | undefined, now: Json | undefined, path: string): string | null {
    if (JSON.stringify(then) === JSON.stringify(now)) return null;
    if (isEntries(then) && isEntries(now)) return this.#entriesDiffer(then, now, path);
    if (isObject(then) && isObject(now)) return this.#objectsDiffer(then, now, path);
    if (this.#isErased(then)) return null;
    return `${path}: ${JSON.stringify(then)} is now ${JSON.stringify(now)}`;
  }

  #objectsDiffer(then: JsonObject, now: JsonObject, path: string): string | null {
    const expected = { ...then, ...this.#correctedFields(then) };
    const excused = new Set(this.#excusedFields(then, now));
    for (const name of new Set([...Object.keys(expected), ...Object.keys(now)])) {
      const fault = excused.has(name) ? null : this.differs(expected[name], now[name], `${path}.${name}`);
      if (fault !== null) return fault;
    }
    return null;
  }

  #correctedFields(then: JsonObject): JsonObject {
    const { id } = then;
    const fields = typeof id === 'string' ? this.#erasures.correctedSince(id, this.#moment) : null;
    return Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => name in then)) as JsonObject;
  }

  /** Fields that follow from words that are erased. */
  #excusedFields(then: JsonObject, now: JsonObject): readonly string[] {
    const { versions, reports, headline, overview } = then;
    const excused: string[] = [];
    const isEdition = typeof headline === 'string';
    if (isEdition && (this.#isErased(headline) || this.#isErased(overview)))
      excused.push('headline', 'overview', 'language');
    if (isEdition) excused.push('editorsNotes');
    const gone = isEntries(reports) ? this.#goneLanguages(reports, now) : new Set<Json>();
    const kept = ((versions ?? []) as JsonObject[]).filter(({ language }) => !gone.has(language ?? null));
    if (Array.isArray(versions) && this.#versionsAgree(kept, now)) {
      excused.push('versions');
      const own = (versions as JsonObject[]).find(({ language }) => language === then['language']);
      if (gone.has(then['language'] ?? null) || this.#isErased(own) || this.#isErased(then['title']))
        excused.push('title', 'digest', 'language');
    }
    if (isEntries(reports) && reports.some((one) => this.#isGone(one))) excused.push('languages');
    // A list states how many entries it has.
    if (isEntries(now['items']) && now['count'] === now['items'].length) excused.push('count');
    return excused;
  }

  /** Languages without a version now whose reports were all withdrawn since: the story has no words in them any more. */
  #goneLanguages(reports: readonly JsonObject[], now: JsonObject): ReadonlySet<Json> {
    const languages = new Set(reports.map(({ language }) => language ?? null));
    for (const { language = null } of (now['versions'] ?? []) as readonly JsonObject[])
      languages.delete(language);
    return new Set(
      [...languages].filter((language) =>
        reports.every((one) => (one['language'] ?? null) !== language || this.#isGone(one)),
      ),
    );
  }

  /** A story in a language: its words are the same, unless they contain erased ones. */
  #versionsAgree(versions: readonly JsonObject[], now: JsonObject): boolean {
    const left = (now['versions'] ?? []) as readonly JsonObject[];
    return versions.every(
      (version) =>
        this.#isErased(version) || left.some((one) => JSON.stringify(one) === JSON.stringify(version)),
    );
  }

  #entriesDiffer(then: readonly JsonObject[], now: readonly JsonObject[], path: string): string | null {
    const standing = then.filter((one) => !this.#isGone(one));
    const common = standing.filter((one) => now.some((other) => nameOf(other) === nameOf(one)));
    const inBoth = now.filter((one) => common.some((other) => nameOf(other) === nameOf(one)));
    const isOrdered = common.map(nameOf).join() === inBoth.map(nameOf).join();
    // Two entries of one story can be represented by the same report.
    if (!isOrdered && this.#exchangedMax > 0) return null;
    if (!isOrdered) return `${path}: another order`;
    const areCounted = common.length < then.length;
    for (const [at, one] of common.entries()) {
      const pair = [one, inBoth[at] as JsonObject].map((entry) =>
        areCounted ? { ...entry, rank: null } : entry,
      );
      const fault = this.#objectsDiffer(...(pair as [JsonObject, JsonObject]), `${path}[${nameOf(one)}]`);
      if (fault !== null) return fault;
    }
    const exchanged = standing.length - common.length + now.length - inBoth.length;
    return exchanged <= this.#exchangedMax ? null : `${path}: ${exchanged} entries are missing or new`;
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf({ id, publicId, key }: JsonObject): string | null {
  return [id, publicId, key].find((name) => typeof name === 'string') ?? null;
}

/** A list of items, stories or sections. */
function isEntries(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((one: Json) => isObject(one) && nameOf(one) !== null);
}
