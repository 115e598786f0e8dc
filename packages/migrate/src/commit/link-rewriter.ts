import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { basename, join } from 'node:path/posix';

import { resolveLink } from '../links/link-resolver.ts';
import type { StoredLink } from '../links/link-store.ts';
import type { NoteLink } from '../links/note-link.ts';
import { findLinks } from '../links/note-link.ts';
import type { LinkTarget } from '../links/render-link.ts';
import { renderLink } from '../links/render-link.ts';
import { findChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { ChunkOfFile, StoredFile } from '../queue/source-store.ts';
import { chunkPartsOf, fileOfChunk } from '../queue/source-store.ts';
import type { FrontMatter } from '../sources/front-matter.ts';
import { parseFrontMatter } from '../sources/front-matter.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import { noteTargets } from '../targets/target.ts';
import type { AttachmentPlanner, AttachmentCopy } from './attachment-planner.ts';
import type { Destination } from './destination.ts';
import { chunkHeading } from './destination.ts';
import { presentPieces } from './journal-store.ts';

/** A text with its links as they must be in the knowledge base. */
export interface LinkedText {
  readonly text: string;
  readonly links: readonly StoredLink[];
  readonly copies: readonly AttachmentCopy[];
}

const attached: ReadonlySet<string> = new Set(['attachment', 'database', 'binary', 'encrypted', 'remainder']);

/** Knows the current or planned place of every note, and writes the links of one note to others accordingly. */
export class LinkRewriter {
  readonly #queue: QueueHandle;
  readonly #layout: TargetLayout;
  readonly #attachments: AttachmentPlanner;
  /** Of this run, before its first write. */
  readonly #planned: ReadonlyMap<string, Destination>;
  /** By file and anchor: the place of a note does not change while links are written. */
  readonly #known = new Map<string, Destination>();

  constructor(
    queue: QueueHandle,
    layout: TargetLayout,
    attachments: AttachmentPlanner,
    planned: ReadonlyMap<string, Destination>,
  ) {
    this.#queue = queue;
    this.#layout = layout;
    this.#attachments = attachments;
    this.#planned = planned;
  }

  /** The chunk's text for the file at `path`. */
  render(chunk: QueuedChunk, path: string): LinkedText {
    const from = fileOfChunk(this.#queue.database, chunk.id);
    const links: StoredLink[] = [];
    const copies: AttachmentCopy[] = [];
    let text = '';
    let at = 0;
    for (const link of from === null || from.root === '' ? [] : findLinks(chunk.text)) {
      const raw = chunk.text.slice(link.start, link.end);
      const file = from === null ? null : resolveLink(this.#queue, from, link);
      const found = file === null ? null : this.#targetOf(file, link, copies);
      const rendered = found === null ? raw : renderLink(raw, link, path, found);
      const state = found !== null ? 'linked' : file !== null ? 'waiting' : 'missing';
      links.push({ raw, state, file: file?.id ?? null, rendered });
      text += chunk.text.slice(at, link.start) + rendered;
      at = link.end;
    }
    return { text: text + chunk.text.slice(at), links, copies };
  }

  /** The front matter with the wikilinks of its texts as they must be in the knowledge base. */
  renderProperties(chunk: QueuedChunk, frontMatter: FrontMatter | null, path: string): FrontMatter | null {
    const from = fileOfChunk(this.#queue.database, chunk.id);
    if (frontMatter === null || from === null || from.root === '') return frontMatter;
    const { source } = frontMatter;
    let text = '';
    let at = 0;
    for (const link of findLinks(source)) {
      const raw = source.slice(link.start, link.end);
      const lineStart = source.lastIndexOf('\n', link.start) + 1;
      const isText = /["']/.test(source.slice(lineStart, link.start));
      const file = link.kind === 'wiki' && isText ? resolveLink(this.#queue, from, link) : null;
      const found = file === null || attached.has(file.status) ? null : this.#targetOf(file, link, []);
      text += source.slice(at, link.start) + (found === null ? raw : renderLink(raw, link, path, found));
      at = link.end;
    }
    const rendered = text + source.slice(at);
    return rendered === source ? frontMatter : parseFrontMatter(rendered);
  }

  #targetOf(file: StoredFile, link: NoteLink, copies: AttachmentCopy[]): LinkTarget | null {
    if (attached.has(file.status)) {
      const copy = this.#attachments.copyOf(file);
      if (copy === null) return null;
      copies.push(copy);
      return { path: copy.path, heading: null, isUniqueName: true };
    }
    const key = `${file.id}#${link.anchor ?? ''}`;
    const destination = this.#known.get(key) ?? this.#destinationOf(file, link.anchor);
    if (destination !== null) this.#known.set(key, destination);
    return destination === null ? null : { ...destination, isUniqueName: this.#isUnique(destination) };
  }

  /** Of a note in several chunks the one the anchor names, else the main one. */
  #destinationOf(file: StoredFile, anchor: string | null): Destination | null {
    const { database } = this.#queue;
    const chunks = chunkPartsOf(database, file.id);
    const wanted = anchor?.toLowerCase() ?? '';
    const isWanted = ({ headings }: ChunkOfFile): boolean =>
      headings.some((heading) => heading.toLowerCase() === wanted);
    const ordered = [
      ...(wanted === '' ? [] : chunks.filter(isWanted)),
      ...chunks.filter(({ part }) => part === 'note'),
      ...chunks,
    ];
    for (const { id, replaces } of ordered) {
      const found = this.#standing(id) ?? (replaces === null ? null : this.#standing(replaces));
      if (found !== null) return found;
    }
    return null;
  }

  #standing(id: string): Destination | null {
    const planned = this.#planned.get(id);
    if (planned !== undefined) return planned;
    const { database } = this.#queue;
    const piece = presentPieces(database, { chunks: [id] }).find(({ kind }) => kind === 'text');
    const chunk = piece === undefined ? null : findChunk(database, id);
    if (piece === undefined || chunk === null || chunk === 'ambiguous') return null;
    return { path: piece.path, heading: this.#isOwnNote(piece.path) ? null : chunkHeading(chunk) };
  }

  #folders(): readonly string[] {
    return noteTargets.map((target) => this.#layout.place(target).path);
  }

  #isOwnNote(path: string): boolean {
    return this.#folders().some((folder) => path.startsWith(`${folder}/`));
  }

  #isUnique({ path, heading }: Destination): boolean {
    if (heading !== null) return true;
    const others = this.#pathsByName().get(basename(path).toLowerCase());
    return others === undefined || (others.size === 1 && others.has(path));
  }

  #names: ReadonlyMap<string, ReadonlySet<string>> | null = null;

  /** The notes of the knowledge base and of this run, by name. */
  #pathsByName(): ReadonlyMap<string, ReadonlySet<string>> {
    if (this.#names !== null) return this.#names;
    const names = new Map<string, Set<string>>();
    const add = (path: string): void => {
      const name = basename(path).toLowerCase();
      const paths = names.get(name) ?? new Set();
      names.set(name, paths.add(path));
    };
    for (const { path, heading } of this.#planned.values()) if (heading === null) add(path);
    for (const folder of this.#folders()) for (const path of notesBelow(this.#queue.root, folder)) add(path);
    this.#names = names;
    return names;
  }
}

function notesBelow(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name.split(sep).join('/')),
    );
  } catch {
    return [];
  }
}
