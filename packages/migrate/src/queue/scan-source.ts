import { readFile } from 'node:fs/promises';

import { identifyChunks } from '../chunks/chunk-identity.ts';
import { cutDocument } from '../chunks/document-cutter.ts';
import type { Classification, ClassifierInput } from '../classify/classification.ts';
import type { NotedKind } from '../sources/source-kind.ts';
import type { SourceFile } from '../sources/source-walk.ts';
import { walkSource } from '../sources/source-walk.ts';
import { chunkAdder, hasChunk, notedAdder, remainderAdder } from './chunk-store.ts';
import type { QueueHandle } from './queue-database.ts';

export type Classify = (input: ClassifierInput) => Classification;

export interface ScanDeps {
  readonly queue: QueueHandle;
  readonly classify: Classify;
  readonly knowledgeRoot: string;
  /** Nothing of it is kept. */
  readonly dryRun: boolean;
  /** Called while what was found can still be seen, in a dry run too. */
  readonly onFound: () => void;
  readonly onFile: (progress: { readonly files: number; readonly bytes: number }) => void;
}

export interface ScanTotals {
  readonly files: number;
  readonly bytes: number;
  readonly chunks: number;
  readonly added: number;
  readonly remainderBytes: number;
  readonly remainders: number;
  readonly wikilinks: number;
  readonly noted: Readonly<Partial<Record<NotedKind, number>>>;
}

/** A file whose name alone says where it belongs is all but certain. */
const hintConfidence = 0.95;
/** How often what was found is made durable: a scan that is killed goes on from there. */
const filesPerTransaction = 200;

export async function scanSource(source: string, pasted: boolean, deps: ScanDeps): Promise<ScanTotals> {
  const { database } = deps.queue;
  const recorder = new ScanRecorder(deps, pasted);
  // A scan that the power fails under is scanned again: only commits need every write on the disk at once.
  database.exec('pragma synchronous = normal; begin immediate');
  try {
    const options = { knowledgeRoot: deps.knowledgeRoot, onNoted: recorder.note };
    for await (const file of walkSource(source, options)) {
      await recorder.record(file);
      deps.onFile(recorder.totals);
      if (!deps.dryRun && recorder.totals.files % filesPerTransaction === 0)
        database.exec('commit; begin immediate');
    }
    deps.onFound();
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
  database.exec(deps.dryRun ? 'rollback' : 'commit');
  return recorder.totals;
}

class ScanRecorder {
  readonly totals = {
    files: 0,
    bytes: 0,
    chunks: 0,
    added: 0,
    remainderBytes: 0,
    remainders: 0,
    wikilinks: 0,
    noted: {},
  };
  readonly #deps: ScanDeps;
  readonly #pasted: boolean;
  readonly #add: ReturnType<typeof chunkAdder>;
  readonly #has: ReturnType<typeof hasChunk>;
  readonly #addRemainder: ReturnType<typeof remainderAdder>;
  readonly #addNoted: ReturnType<typeof notedAdder>;

  constructor(deps: ScanDeps, pasted: boolean) {
    this.#deps = deps;
    this.#pasted = pasted;
    this.#add = chunkAdder(deps.queue.database);
    this.#has = hasChunk(deps.queue.database);
    this.#addRemainder = remainderAdder(deps.queue.database);
    this.#addNoted = notedAdder(deps.queue.database);
  }

  readonly note = (kind: NotedKind, name: string): void => {
    const noted: Partial<Record<NotedKind, number>> = this.totals.noted;
    noted[kind] = (noted[kind] ?? 0) + 1;
    if (kind !== 'set aside') this.#addNoted(kind, name);
  };

  async record(file: SourceFile): Promise<void> {
    const bytes = await readFile(file.path).catch(() => null);
    if (bytes === null) {
      this.note('unreadable', file.name);
      return;
    }
    const document = cutDocument(bytes);
    const source = this.#pasted ? 'pasted text' : file.name;
    const ids = identifyChunks(this.#pasted ? null : source, document.chunks);
    this.totals.files += 1;
    this.totals.bytes += bytes.length;
    this.totals.chunks += document.chunks.length;
    for (const [at, chunk] of document.chunks.entries()) {
      const id = ids[at] ?? '';
      this.totals.wikilinks += countWikilinks(chunk.text);
      if (this.#has(id)) continue;
      const found = this.#route(file, chunk.headings, chunk.text);
      this.#add({
        id,
        source,
        kind: this.#pasted ? 'pasted' : file.hint.kind,
        headings: chunk.headings,
        startByte: chunk.start,
        endByte: chunk.end,
        text: chunk.text,
        tags: document.tags,
        proposed: found.target,
        confidence: found.confidence,
        reasons: found.reasons,
        alternatives: found.alternatives.filter((other) => other.target !== 'UNCLEAR'),
        state: found.target === 'UNCLEAR' ? 'unclear' : 'scanned',
      });
      this.totals.added += 1;
    }
    for (const remainder of document.remainders) {
      this.totals.remainders += 1;
      this.totals.remainderBytes += remainder.end - remainder.start;
      this.#addRemainder(source, remainder);
    }
  }

  #route(file: SourceFile, headings: readonly string[], text: string): Classification {
    const { target, reason } = file.hint;
    if (target === null || this.#pasted) return this.#deps.classify({ headings, text });
    return { target, confidence: hintConfidence, reasons: [reason], alternatives: [] };
  }
}

function countWikilinks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('[['); at !== -1; at = text.indexOf('[[', at + 2)) count += 1;
  return count;
}
