import { sql } from 'kysely';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import { readContents } from './edition-store.ts';
import type { EditionContents, EditionKey } from './edition.ts';
import { contentsJson } from './edition.ts';

/** One item that was read when an edition was compiled. */
export interface EditionInput {
  readonly role: 'candidate' | 'carried' | 'report';
  readonly itemId: Id<'item'>;
  /** The item's text; stored once for all editions that read it, erased when the item is withdrawn. */
  readonly words: JsonValue;
  /** Ids, times and numbers. */
  readonly facts: JsonValue;
}

export interface EditionMaterial {
  readonly ruleVersion: string;
  /** The release that composed the edition; null for 0.1.0, which did not store it. */
  readonly release: string | null;
  readonly settings: JsonValue;
  readonly inputs: readonly EditionInput[];
}

export async function insertEditionMaterial(
  database: Database,
  key: EditionKey,
  { ruleVersion, release, settings, inputs }: EditionMaterial,
  contents: EditionContents,
): Promise<void> {
  const keys = await storeWords(database, inputs);
  const stored = inputs.map(({ role, itemId, facts }, at) => ({ role, itemId, words: keys[at], facts }));
  await database
    .insertInto('record.edition_material')
    .values({
      ...key,
      rule_version: ruleVersion,
      release,
      settings: JSON.stringify(settings),
      inputs: JSON.stringify(stored),
      contents_hash: contentsHash(contents),
    })
    .execute();
}

/** Each wording once. Its key is random: a hash would confirm a guess of withdrawn words. */
async function storeWords(database: Database, inputs: readonly EditionInput[]): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    WITH read AS (
      SELECT * FROM unnest(
        ${inputs.map(({ itemId }) => itemId)}::uuid[],
        ${inputs.map(({ words }) => JSON.stringify(words))}::jsonb[]) WITH ORDINALITY AS one (item_id, words, place)
    ), keyed AS (
      SELECT item_id, words, coalesce(
          (SELECT hash FROM record.item_words AS known
           WHERE known.item_id = read.item_id AND known.words = read.words ORDER BY hash LIMIT 1),
          sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))) AS hash
      FROM read GROUP BY item_id, words
    ), stored AS (
      INSERT INTO record.item_words (item_id, hash, words) SELECT item_id, hash, words FROM keyed
      ON CONFLICT DO NOTHING
    )
    SELECT encode(hash, 'hex') AS key FROM read JOIN keyed USING (item_id, words) ORDER BY place`.execute(
    database,
  );
  return rows.map(({ key }) => key);
}

export async function eraseItemWords(database: Database, itemId: Id<'item'>): Promise<void> {
  await database
    .updateTable('record.item_words')
    .set({ words: null })
    .where('item_id', '=', itemId)
    .execute();
}

/** SHA-256 of the canonical JSON. */
export function contentsHash(contents: EditionContents): Buffer {
  return sha256Bytes(canonicalJson(contentsJson(contents)));
}

/** The material of an edition and the contents compiled from it. */
export interface StoredEdition extends EditionMaterial {
  /** Words are null if the item has been withdrawn since. */
  readonly inputs: readonly EditionInput[];
  /** The first revision, without text based on withdrawn items. */
  readonly contents: EditionContents;
  /** Of the first revision as it was issued. */
  readonly contentsHash: Buffer;
}

/** Null if the edition does not exist or its material was not stored. */
export async function readStoredEdition(database: Database, key: EditionKey): Promise<StoredEdition | null> {
  const { rows } = await sql<{
    readonly rule_version: string;
    readonly release: string | null;
    readonly settings: JsonValue;
    readonly contents_hash: Buffer;
    readonly inputs: readonly EditionInput[];
  }>`
    SELECT rule_version, release, settings, contents_hash, (
      SELECT coalesce(jsonb_agg(input || jsonb_build_object('words', stored.words) ORDER BY place), '[]')
      FROM jsonb_array_elements(material.inputs) WITH ORDINALITY AS read (input, place)
      JOIN record.item_words AS stored
        ON stored.item_id = (input ->> 'itemId')::uuid AND stored.hash = decode(input ->> 'words', 'hex')
    ) AS inputs
    FROM record.edition_material AS material
    WHERE kind = ${key.kind} AND period = ${key.period}`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    ruleVersion: row.rule_version,
    release: row.release,
    settings: row.settings,
    inputs: row.inputs,
    contents: await readContents(database, key, 1),
    contentsHash: row.contents_hash,
  };
}
