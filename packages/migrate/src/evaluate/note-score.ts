import type { LearnableChunk } from '../learn/learned-layer.ts';
import { traitsOf } from '../learn/note-traits.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { trustedFrom } from '../queue/queued-chunk.ts';
import type { LabelledNote } from './labelled-note.ts';
import type { SimulatedNote } from './simulate-review.ts';

/** The result of a scan for one labelled note. */
export interface NoteScore {
  readonly label: LabelledNote;
  /** The target of the largest chunk; null for a note without text. */
  readonly target: string | null;
  readonly confidence: number;
  /** The kind of evidence; `place` for rule files and other installations. */
  readonly basis: string;
  readonly chunks: number;
  readonly targets: number;
  readonly isCut: boolean;
  /** The decision is the label or an acceptable target. */
  readonly isRight: boolean;
  /** The decision is the label itself. */
  readonly isBest: boolean;
  /** Every chunk is trusted. */
  readonly isTrusted: boolean;
  /** Chunks whose own decision is wrong. */
  readonly wrongChunks: number;
  /** Chunks that are not approved in bulk. */
  readonly askedChunks: number;
  /** The number of notes of its vault, and of the targets of a group question. */
  readonly vaultNotes: number;
  readonly vaultTargets: number;
  /** The note for a simulated review; null if it is cut or has no text. */
  readonly simulated: SimulatedNote | null;
}

export interface VaultSize {
  readonly vaultNotes: number;
  readonly vaultTargets: number;
}

export function scoreNote(label: LabelledNote, chunks: readonly QueuedChunk[], size: VaultSize): NoteScore {
  const main = chunks.toSorted((one, other) => other.text.length - one.text.length)[0];
  const isTrusted = ({ proposed, confidence }: QueuedChunk): boolean =>
    proposed !== 'UNCLEAR' && confidence >= trustedFrom;
  return {
    label,
    ...size,
    target: main?.proposed ?? null,
    confidence: main?.confidence ?? 1,
    basis: main?.basis ?? 'place',
    chunks: chunks.length,
    targets: new Set(chunks.map(({ proposed }) => proposed)).size,
    isCut: label.stayWhole && chunks.length > 1,
    isRight: main === undefined || isAcceptable(label, main),
    isBest: main === undefined || wholeName(main.proposed) === label.target,
    isTrusted: chunks.every(isTrusted),
    wrongChunks: chunks.filter((chunk) => !isAcceptable(label, chunk)).length,
    askedChunks: chunks.filter((chunk) => !isTrusted(chunk)).length,
    simulated: main === undefined || chunks.length > 1 ? null : { label, chunk: learnable(main) },
  };
}

function isAcceptable(label: LabelledNote, { proposed, headings }: QueuedChunk): boolean {
  const section = label.sections?.find(
    ({ heading }) => heading === '*' || headings.some((one) => one.toLowerCase() === heading.toLowerCase()),
  );
  const { target, acceptable } = section ?? label;
  return [target, ...acceptable].includes(wholeName(proposed));
}

function learnable(chunk: QueuedChunk): LearnableChunk {
  const { id, basis, proposed: target, confidence, alternatives, text: opening } = chunk;
  const traits = traitsOf({ ...chunk, opening });
  return { id, basis, scanned: { target, confidence, alternatives }, traits };
}

/** A label does not distinguish the two homes of whole notes. */
export function wholeName(target: string): string {
  return target === 'JOURNAL' ? 'NOTE' : target;
}
