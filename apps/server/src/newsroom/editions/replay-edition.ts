import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256 } from '../../foundation/hash.ts';
import { editions } from '../../record/index.ts';
import type { EditionSettings } from './compose-edition.ts';
import { composeEdition, rulesFor, unreportedCandidates } from './compose-edition.ts';
import { readMaterial, settingsJson } from './edition-material.ts';
import { readOperations } from './edition-operation-store.ts';
import type { SavedOperation } from './edition-operation.ts';

export interface Replay {
  /**
   * `same`: byte for byte. `redacted`: some of its material has been withdrawn, and the rest, its choice and order of
   * items, is the same. `other rules`: compiled by rules, or with names, that this release does not have.
   */
  readonly outcome: 'same' | 'redacted' | 'different' | 'other rules' | 'not stored';
  /** Of the replayed edition; of a redacted one without its text. */
  readonly hash: string | null;
  /** With other rules: the release that composed the edition and can replay it; null if it is unknown. */
  readonly release?: string | null;
}

/** Releases that did not store their version with an edition, by their rules. */
const releasesByRules: Readonly<Record<string, string>> = { 'reports 1': '0.1.0' };

/**
 * Compiles an edition's first revision again from stored material and the operations of its draft, and compares it with
 * the issued one.
 */
export async function replayEdition(
  database: Database,
  settings: EditionSettings,
  key: editions.EditionKey,
): Promise<Replay> {
  const stored = await editions.material.readStoredEdition(database, key);
  if (stored === null) return { outcome: 'not stored', hash: null };
  const operations = await readOperations(database, key);
  if (
    stored.ruleVersion !== rulesFor(operations) ||
    canonicalJson(stored.settings) !== canonicalJson(settingsJson(settings))
  )
    return {
      outcome: 'other rules',
      hash: null,
      release: releasesByRules[stored.ruleVersion] ?? stored.release,
    };
  return replayStored(stored, operations, settings, key.kind);
}

function replayStored(
  stored: editions.material.StoredEdition,
  operations: readonly SavedOperation[],
  settings: EditionSettings,
  kind: editions.EditionKind,
): Replay {
  const material = readMaterial(stored);
  const isRedacted = material.isRedacted || operations.some(({ words }) => words === null);
  const unreported = isRedacted
    ? material.candidates.filter(({ id }) => !material.reportedBefore.has(id))
    : unreportedCandidates(material, settings);
  const { candidates, alternatives } = material;
  const made = composeEdition(kind, { candidates, unreported, alternatives, operations }, settings);
  if (made === null) return { outcome: 'different', hash: null };
  if (isRedacted) {
    const [again, issued] = [withoutWords(made), withoutWords(stored.contents)];
    return { outcome: again === issued ? 'redacted' : 'different', hash: sha256(again) };
  }
  const hash = editions.material.contentsHash(made);
  const isSame =
    hash.equals(stored.contentsHash) && hash.equals(editions.material.contentsHash(stored.contents));
  return { outcome: isSame ? 'same' : 'different', hash: hash.toString('hex') };
}

/** Its entries, and their alternatives in each language. */
function withoutWords({ sections, flashes, reports = [] }: editions.EditionContents): string {
  return canonicalJson({
    sections: sections.map((section) => ({ ...section })),
    flashes,
    reports: reports.map((report) => ({ ...report })),
  });
}
