import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';

import type { StoredLink } from '../links/link-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import { fileOfChunk, frontMatterOf } from '../queue/source-store.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import type { AttachmentCopy } from './attachment-planner.ts';
import { AttachmentPlanner } from './attachment-planner.ts';
import type { Destination } from './destination.ts';
import { DestinationAssigner } from './destination.ts';
import { standingEarlierPiece } from './earlier-version.ts';
import type { FileChange, FileContent, NewPiece } from './file-change.ts';
import { readIfThere } from './file-change.ts';
import type { FileEnd } from './inserted-span.ts';
import { chunkBody, fileEnd, insertedSpan } from './inserted-span.ts';
import type { Piece } from './journal-store.ts';
import { appendedBody, knowledgeNote, propertyNote } from './knowledge-note.ts';
import { LinkRewriter } from './link-rewriter.ts';
import type { ProvenanceStamp } from './provenance.ts';
import { provenanceComment } from './provenance.ts';
import type { RuleDestination } from './rule-destination.ts';
import { ruleHook } from './rule-hook.ts';
import { CommitRefusedError } from './safe-path.ts';
import { addPermission } from './settings-permission.ts';
import { newFileHeading } from './target-file.ts';

export interface PlanDeps {
  readonly queue: QueueHandle;
  readonly layout: TargetLayout;
  readonly stamp: ProvenanceStamp;
}

export interface CommitPlan {
  readonly changes: readonly FileChange[];
  readonly refused: readonly { readonly chunk: QueuedChunk; readonly reason: string }[];
  /** What the links of each chunk were written as. */
  readonly links: ReadonlyMap<string, readonly StoredLink[]>;
  readonly copies: readonly AttachmentCopy[];
}

interface OpenFile {
  readonly before: Buffer | null;
  readonly heading: string;
  /** The text before the appended pieces: the current file, except for pieces replaced by newer versions. */
  base: string;
  end: FileEnd;
  readonly appended: NewPiece[];
  readonly replaced: NewPiece[];
  /** Ordinals of the pieces that are replaced. */
  readonly remove: number[];
  /** The bits that all notes of its pieces have. */
  mode: number;
  /** Of a note of its own: when the source was changed. */
  modifiedMs?: number;
}

type Permission = Extract<RuleDestination, { readonly kind: 'permission' }>;

/** Works out the files as they shall be, page by page; writes nothing. */
export class CommitPlanner {
  readonly #deps: PlanDeps;
  readonly #destinations: DestinationAssigner;
  readonly #assigned = new Map<string, Destination>();
  readonly #refused = new Map<string, string>();
  readonly #links: LinkRewriter;
  #files = new Map<string, OpenFile>();
  #copies = new Map<string, { readonly copy: AttachmentCopy; readonly chunks: string[] }>();
  #rendered = new Map<string, readonly StoredLink[]>();

  constructor(deps: PlanDeps) {
    this.#deps = deps;
    this.#destinations = new DestinationAssigner(deps.queue, deps.layout);
    const attachments = new AttachmentPlanner(deps.queue, this.#destinations);
    this.#links = new LinkRewriter(deps.queue, deps.layout, attachments, this.#assigned);
  }

  /** Gives all chunks of a run their places first, so that links can lead to what is written later. */
  assign(chunks: Iterable<QueuedChunk>): void {
    for (const chunk of chunks) {
      try {
        const earlier = standingEarlierPiece(this.#deps.queue.database, chunk);
        this.#assigned.set(chunk.id, this.#destinations.assign(chunk, earlier?.path ?? null));
      } catch (error) {
        if (!(error instanceof CommitRefusedError)) throw error;
        this.#refused.set(chunk.id, error.message);
      }
    }
  }

  /** The changes that put all these chunks in their places. */
  plan(chunks: readonly QueuedChunk[]): CommitPlan {
    this.#files = new Map();
    this.#copies = new Map();
    this.#rendered = new Map();
    const refused: { chunk: QueuedChunk; reason: string }[] = [];
    for (const chunk of chunks) {
      try {
        this.#add(chunk);
      } catch (error) {
        if (!(error instanceof CommitRefusedError)) throw error;
        refused.push({ chunk, reason: error.message });
      }
    }
    const files = Array.from(this.#files, ([path, file]) => toChange(path, file)).filter(
      ({ add }) => add.length > 0,
    );
    const copies = [...this.#copies.values()];
    return {
      changes: [...copies.map(({ copy, chunks: ids }) => copyChange(copy, ids)), ...files],
      refused,
      links: this.#rendered,
      copies: copies.map(({ copy }) => copy),
    };
  }

  #add(chunk: QueuedChunk): void {
    const destination = this.#assigned.get(chunk.id);
    if (destination === undefined)
      throw new CommitRefusedError(this.#refused.get(chunk.id) ?? 'the chunk has no destination');
    const rule = destinationOf(chunk) === 'AI_RULES' ? chunk.consent.rule : undefined;
    if (rule !== undefined) this.#addRule(chunk, destination, rule);
    else this.#addNote(chunk, destination);
    const stat = fileOfChunk(this.#deps.queue.database, chunk.id)?.stat ?? null;
    const mode = stat?.mode ?? 0o777;
    const file = this.#files.get(destination.path);
    if (file !== undefined) file.mode &= mode;
    if (file !== undefined && destination.heading === null && stat !== null)
      file.modifiedMs = stat.modifiedMs;
    const provenance = this.#files.get(this.#deps.layout.settingsProvenance);
    if (rule?.kind === 'permission' && provenance !== undefined) provenance.mode &= mode;
  }

  #addNote(chunk: QueuedChunk, { path, heading }: Destination): void {
    const { queue, stamp } = this.#deps;
    const linked = this.#links.render(chunk, path);
    const whole = propertyNote(chunk, linked.text);
    const body = whole === null ? chunkBody(linked.text) : '';
    const properties =
      whole ?? this.#links.renderProperties(chunk, frontMatterOf(queue.database, chunk.id), path);
    if (heading === null) {
      const dates = fileOfChunk(queue.database, chunk.id)?.stat ?? null;
      const text = knowledgeNote(chunk, destinationOf(chunk), body, stamp, properties, dates);
      this.#put(chunk, path, text);
    } else {
      this.#append(chunk, this.#open(path), appendedBody(chunk, body, properties));
    }
    this.#rendered.set(chunk.id, linked.links);
    for (const copy of linked.copies.filter(({ isOurs }) => isOurs)) {
      const planned = this.#copies.get(copy.path) ?? { copy, chunks: [] };
      this.#copies.set(copy.path, planned);
      if (!planned.chunks.includes(chunk.id)) planned.chunks.push(chunk.id);
    }
  }

  #addRule(chunk: QueuedChunk, { path }: Destination, rule: RuleDestination): void {
    const body = chunkBody(chunk.text);
    if (rule.kind === 'hook') this.#put(chunk, path, ruleHook(chunk, body, this.#deps.stamp));
    else if (rule.kind === 'permission') {
      // Both files are opened before either is changed: a refusal leaves neither half done.
      const place = this.#destinations.check(chunk, this.#deps.layout.settingsProvenance);
      const provenance = this.#open(place);
      this.#addPermission(chunk, this.#open(path), rule);
      this.#append(chunk, provenance, `permissions.${rule.list}: \`${rule.pattern}\`\n\n${body}`);
    } else this.#append(chunk, this.#open(path), body);
  }

  #put(chunk: QueuedChunk, path: string, text: string): void {
    const earlier = standingEarlierPiece(this.#deps.queue.database, chunk);
    if (earlier === null) {
      const appended: NewPiece = { chunk: chunk.id, kind: 'text', text, before: null };
      this.#files.set(path, {
        ...emptyFile,
        end: fileEnd(text),
        appended: [appended],
        replaced: [],
        remove: [],
        mode: 0o777,
      });
    } else replaceEarlier(this.#open(path), earlier, chunk, text);
  }

  #append(chunk: QueuedChunk, file: OpenFile, body: string): void {
    const parts = [provenanceComment(chunk, this.#deps.stamp), body];
    const earlier = standingEarlierPiece(this.#deps.queue.database, chunk);
    if (earlier !== null) {
      const gap = /^(?:\r?\n)*/.exec(earlier.text)?.[0] ?? '';
      replaceEarlier(file, earlier, chunk, gap + insertedSpan({ eol: file.end.eol, tail: '' }, parts));
      return;
    }
    const text = insertedSpan(file.end, parts);
    file.end = { eol: file.end.eol, tail: text.slice(-4) };
    file.appended.push({ chunk: chunk.id, kind: 'text', text, before: null });
  }

  #addPermission(chunk: QueuedChunk, file: OpenFile, rule: Permission): void {
    const before = file.appended.at(-1)?.text ?? file.before?.toString('utf8') ?? null;
    const text = addPermission(before, rule.list, rule.pattern);
    file.appended.push({ chunk: chunk.id, kind: 'settings', text, before });
  }

  #open(path: string): OpenFile {
    const open = this.#files.get(path);
    if (open !== undefined) return open;
    const before = readText(join(this.#deps.queue.root, path));
    const heading = before === null && path.endsWith('.md') ? newFileHeading(path) : '';
    const base = before?.toString('utf8') ?? heading;
    const file = {
      before,
      heading,
      base,
      end: fileEnd(base),
      appended: [],
      replaced: [],
      remove: [],
      mode: 0o777,
    };
    this.#files.set(path, file);
    return file;
  }
}

const emptyFile = { before: null, heading: '', base: '' } as const;

/** Replaces the earlier version in place by the newer one; undo restores the earlier one. */
function replaceEarlier(file: OpenFile, earlier: Piece, chunk: QueuedChunk, text: string): void {
  const at = file.base.lastIndexOf(earlier.text);
  if (at === -1)
    throw new CommitRefusedError(
      `its earlier version was edited in the knowledge base after the commit; copy the change there yourself and reject this chunk`,
    );
  file.base = file.base.slice(0, at) + text + file.base.slice(at + earlier.text.length);
  if (file.appended.length === 0) file.end = fileEnd(file.base);
  file.replaced.push({ chunk: chunk.id, kind: 'text', text, before: earlier.text });
  file.remove.push(earlier.ordinal);
}

function toChange(path: string, file: OpenFile): FileChange {
  const { before, heading, base, appended, replaced, remove, mode, modifiedMs } = file;
  const isSettings = appended[0]?.kind === 'settings';
  const texts = appended.map(({ text }) => Buffer.from(text));
  const after = isSettings ? (texts.at(-1) ?? null) : Buffer.concat([Buffer.from(base), ...texts]);
  const add = [...replaced, ...appended];
  return {
    path,
    before,
    after,
    add,
    remove,
    heading: isSettings ? '' : heading,
    mode,
    ...(modifiedMs === undefined ? {} : { modifiedMs }),
  };
}

function copyChange({ path, content }: AttachmentCopy, chunks: readonly string[]): FileChange {
  const before: FileContent = content.from === null ? content : null;
  const add = chunks.map((chunk): NewPiece => ({ chunk, kind: 'copy', text: content.hash, before: null }));
  return { path, before, after: content, add, remove: [], heading: '' };
}

function readText(path: string): Buffer | null {
  const bytes = readIfThere(path);
  if (bytes !== null && (!isUtf8(bytes) || bytes.includes(0))) {
    throw new CommitRefusedError('the target file is not UTF-8 text; convert it first');
  }
  return bytes;
}
