import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import type { FileChange } from './file-change.ts';
import { readIfThere } from './file-change.ts';
import { chunkBody, insertedSpan } from './inserted-span.ts';
import { knowledgeNote, noteFileName, noteTitle } from './knowledge-note.ts';
import type { ProvenanceStamp } from './provenance.ts';
import { provenanceComment } from './provenance.ts';
import { ruleHook } from './rule-hook.ts';
import { CommitRefusedError, safeFilePath } from './safe-path.ts';
import { addPermission } from './settings-permission.ts';
import { newFileHeading, placeOf, refuseHarnessMemory, settingsProvenanceFile } from './target-file.ts';

export interface PlanDeps {
  /** Without links. */
  readonly root: string;
  readonly layout: TargetLayout;
  readonly stamp: ProvenanceStamp;
}

export interface CommitPlan {
  readonly changes: readonly FileChange[];
  readonly refused: readonly { readonly chunk: QueuedChunk; readonly reason: string }[];
}

/** The files as they shall be once all these chunks stand in them; nothing is written yet. */
export function planCommit(deps: PlanDeps, chunks: readonly QueuedChunk[]): CommitPlan {
  const planner = new CommitPlanner(deps);
  const refused: { chunk: QueuedChunk; reason: string }[] = [];
  for (const chunk of chunks) {
    try {
      planner.add(chunk);
    } catch (error) {
      if (!(error instanceof CommitRefusedError)) throw error;
      refused.push({ chunk, reason: error.message });
    }
  }
  return { changes: [...planner.changes.values()], refused };
}

class CommitPlanner {
  readonly changes = new Map<string, FileChange>();
  readonly #deps: PlanDeps;

  constructor(deps: PlanDeps) {
    this.#deps = deps;
  }

  add(chunk: QueuedChunk): void {
    const place = placeOf(chunk, this.#deps.layout);
    const body = chunkBody(chunk.text);
    const rule = destinationOf(chunk) === 'AI_RULES' ? chunk.consent.rule : undefined;
    if (place.kind === 'folder') {
      const hook = rule?.kind === 'hook';
      const path = this.#freeName(chunk, place.path, hook ? '.sh' : '.md');
      const text = hook
        ? ruleHook(chunk, body, this.#deps.stamp)
        : knowledgeNote(chunk, destinationOf(chunk), body, this.#deps.stamp);
      this.#put(path, { before: null, after: text, mode: 'insert', spans: [text], chunk, heading: '' });
    } else if (rule?.kind === 'permission') {
      this.#addPermission(chunk, place.path, rule);
      this.#append(chunk, settingsProvenanceFile, `permissions.${rule.list}: \`${rule.pattern}\`\n\n${body}`);
    } else {
      this.#append(chunk, place.path, body);
    }
  }

  #append(chunk: QueuedChunk, place: string, body: string): void {
    const path = this.#safe(chunk, place);
    const planned = this.changes.get(path);
    const before = planned === undefined ? readText(path) : planned.before;
    const heading = before === null ? newFileHeading(path) : '';
    const current = planned?.after.toString('utf8') ?? before?.toString('utf8') ?? heading;
    const span = insertedSpan(current, [provenanceComment(chunk, this.#deps.stamp), body]);
    const spans = [...(planned?.spans ?? []), span];
    this.#put(path, { before, after: current + span, mode: 'insert', spans, chunk, heading });
  }

  #addPermission(
    chunk: QueuedChunk,
    place: string,
    rule: { readonly list: 'allow' | 'ask' | 'deny'; readonly pattern: string },
  ): void {
    const path = this.#safe(chunk, place);
    const planned = this.changes.get(path);
    const before = planned === undefined ? readText(path) : planned.before;
    const current = planned?.after.toString('utf8') ?? before?.toString('utf8') ?? null;
    const after = addPermission(current, rule.list, rule.pattern);
    this.#put(path, { before, after, mode: 'replace', spans: [], chunk, heading: '' });
  }

  #put(
    path: string,
    change: Omit<FileChange, 'path' | 'after' | 'chunks'> & {
      readonly after: string;
      readonly chunk: QueuedChunk;
    },
  ): void {
    const { after, chunk, ...rest } = change;
    const chunks = [...(this.changes.get(path)?.chunks ?? []), chunk.id];
    this.changes.set(path, { ...rest, path, after: Buffer.from(after), chunks });
  }

  #safe(chunk: QueuedChunk, place: string): string {
    const path = safeFilePath(this.#deps.root, place);
    refuseHarnessMemory(chunk, path.slice(this.#deps.root.length));
    return path;
  }

  /** Names differ in more than case, because not every file system tells cases apart. */
  #freeName(chunk: QueuedChunk, folder: string, extension: string): string {
    const name = noteFileName(noteTitle(chunk));
    for (let count = 1; ; count += 1) {
      const path = this.#safe(chunk, join(folder, `${name}${count === 1 ? '' : `-${count}`}${extension}`));
      const isTaken = lstatSync(path, { throwIfNoEntry: false }) !== undefined || this.changes.has(path);
      if (!isTaken) return path;
      if (count === 100)
        return this.#safe(chunk, join(dirname(join(folder, name)), `${name}-${chunk.id}${extension}`));
    }
  }
}

function readText(path: string): Buffer | null {
  const bytes = readIfThere(path);
  if (bytes !== null && (!isUtf8(bytes) || bytes.includes(0))) {
    throw new CommitRefusedError('the target file is no UTF-8 text; convert it first');
  }
  return bytes;
}
