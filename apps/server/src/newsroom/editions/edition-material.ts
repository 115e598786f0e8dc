import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Category, editions } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import type { CompositionMaterial, EditionSettings, AlternativeItem } from './compose-edition.ts';
import { rulesFor } from './compose-edition.ts';
import type { SavedOperation } from './edition-operation.ts';
import type { CarriedItem } from './new-fact.ts';

interface CandidateFacts {
  readonly storyId: Id<'story'> | null;
  readonly groupId: Id<'reading-group'>;
  readonly groupAppearedAt: string;
  readonly sourceId: Id<'source'>;
  readonly category: Category;
  readonly score: number;
  readonly owners: number;
  readonly discoveredAt: string;
  readonly selected: boolean;
  readonly barred: EditionCandidate['barred'];
  /** Whether it was omitted because its story had been published before. */
  readonly isTold: boolean;
}

type AlternativeFacts = Pick<AlternativeItem, 'entryId'> & {
  /** That it was read for: the item's own one may be missing, or more specific. */
  readonly language: ReaderLanguage;
};

type CarriedFacts = Pick<CandidateFacts, 'storyId' | 'groupId' | 'groupAppearedAt'>;

interface Words {
  readonly title: string;
  readonly summary: string;
  readonly language: string | null;
  /** Of the article; only for items of earlier dailies. */
  readonly text?: string;
}

/** The stored form: the text of an item is separate, because it is erased when the item is withdrawn. */
export function materialToStore(
  { candidates, carried, alternatives }: CompositionMaterial,
  unreported: readonly EditionCandidate[],
  settings: EditionSettings,
  operations: readonly SavedOperation[] = [],
): Pick<editions.material.StoredEdition, 'ruleVersion' | 'settings' | 'inputs'> {
  const remaining = new Set(unreported.map(({ id }) => id));
  return {
    ruleVersion: rulesFor(operations),
    settings: settingsJson(settings),
    inputs: [
      ...candidates.map((candidate) => ({
        role: 'candidate' as const,
        itemId: candidate.id,
        words: wordsOf(candidate),
        facts: candidateFacts(candidate, !remaining.has(candidate.id)),
      })),
      ...carried.map((item) => ({
        role: 'carried' as const,
        itemId: item.id,
        words: { ...wordsOf(item), text: item.text },
        facts: carriedFacts(item),
      })),
      ...alternatives.map(({ language, entryId, item }) => ({
        role: 'report' as const,
        itemId: item.id,
        words: wordsOf(item),
        facts: { language, entryId } satisfies AlternativeFacts,
      })),
    ],
  };
}

/** The list of names is long: its hash shows whether it is the same. */
export function settingsJson({ language, aliases }: EditionSettings): JsonValue {
  return { language, aliases: sha256(canonicalJson(aliases)) };
}

function wordsOf({ title, summary, language }: Pick<EditionCandidate, 'title' | 'summary' | 'language'>) {
  return { title, summary, language };
}

function carriedFacts({ storyId, groupId, groupAppearedAt }: CarriedItem): CarriedFacts & JsonValue {
  return { storyId, groupId, groupAppearedAt: String(groupAppearedAt) };
}

function candidateFacts(candidate: EditionCandidate, isTold: boolean): CandidateFacts & JsonValue {
  const { storyId, groupId, sourceId, category, score, owners, selected, barred } = candidate;
  return {
    storyId,
    groupId,
    groupAppearedAt: String(candidate.groupAppearedAt),
    sourceId,
    category,
    score,
    owners,
    discoveredAt: String(candidate.discoveredAt),
    selected,
    barred,
    isTold,
  };
}

/** Stored material, parsed. */
export interface ReadMaterial extends CompositionMaterial {
  /** Candidates that were omitted because their story had been published before. */
  readonly reportedBefore: ReadonlySet<Id<'item'>>;
  /** Whether an item has been withdrawn since, so that its text is erased. */
  readonly isRedacted: boolean;
}

export function readMaterial({ inputs }: Pick<editions.material.StoredEdition, 'inputs'>): ReadMaterial {
  const of = (role: 'candidate' | 'carried' | 'report') => inputs.filter((input) => input.role === role);
  const reported = of('candidate').filter(({ facts }) => (facts as unknown as CandidateFacts).isTold);
  return {
    candidates: of('candidate').map(({ itemId, words, facts }) => {
      const { groupAppearedAt, discoveredAt, isTold: _, ...rest } = facts as unknown as CandidateFacts;
      return {
        id: itemId,
        ...rest,
        ...readWords(words),
        groupAppearedAt: instantOf(groupAppearedAt),
        discoveredAt: instantOf(discoveredAt),
      };
    }),
    carried: of('carried').map(({ itemId, words, facts }) => {
      const { groupAppearedAt, ...rest } = facts as unknown as CarriedFacts;
      const { text = '', ...said } = readWords(words);
      return { id: itemId, ...rest, ...said, text, groupAppearedAt: instantOf(groupAppearedAt) };
    }),
    alternatives: of('report').map(({ itemId, words, facts }) => {
      const { text: _, ...said } = readWords(words);
      return { ...(facts as unknown as AlternativeFacts), item: { id: itemId, ...said } };
    }),
    reportedBefore: new Set(reported.map(({ itemId }) => itemId)),
    isRedacted: inputs.some(({ words }) => words === null),
  };
}

function readWords(words: JsonValue): Words {
  return words === null ? { title: '', summary: '', language: null } : (words as unknown as Words);
}

function instantOf(text: string): EpochMicroseconds {
  return epochMicroseconds(BigInt(text));
}
