import { createHash, randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstatSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import type { Chunk } from '../chunks/chunk.ts';
import type { CutDocument, CutOptions } from '../chunks/document-cutter.ts';
import { cutDocument } from '../chunks/document-cutter.ts';
import type { Classification, ClassifierInput } from '../classify/classification.ts';
import { isInside } from '../commit/safe-path.ts';
import { convertNoteFile } from '../exports/note-format.ts';
import { isoTime } from '../sources/calendar-time.ts';
import type { EncodingGuess } from '../sources/encoding-detection.ts';
import { legacyName, readsWell } from '../sources/encoding-detection.ts';
import type { FrontMatter } from '../sources/front-matter.ts';
import type { LegacyEncoding } from '../sources/legacy-encoding.ts';
import type { SkippedStatus } from '../sources/source-kind.ts';
import type { SourceFile } from '../sources/source-walk.ts';
import { reasonOf } from '../sources/source-walk.ts';
import { isAnyCommitted } from './chunk-store.ts';
import type { SplitMode } from './group-sections.ts';
import { groupSections } from './group-sections.ts';
import { recordNote } from './record-note.ts';
import type { ListedFile, ScanDeps } from './scan-deps.ts';
import type { FileFinding, FileStat, StoredFile } from './source-store.ts';
import {
  chunkIdsOf,
  filesLike,
  findFile,
  listRoots,
  markGone,
  moveFile,
  rootId,
  saveFile,
  saveRemainders,
  unseenFiles,
} from './source-store.ts';

/** The place or kind of a file determines its target almost certainly. */
const hintConfidence = 0.95;

interface FilePlace {
  readonly root: number;
  readonly name: string;
}

/** By the text itself: a key made from it would be another copy of a long note. */
type KnownAnswers = Map<string, Map<string, Classification>>;

/** Records the results of a scan, file by file. */
export class ScanRecorder {
  readonly totals = {
    files: 0,
    bytes: 0,
    chunks: 0,
    added: 0,
    replaced: 0,
    changedSinceCommit: 0,
    remainders: 0,
    remainderBytes: 0,
    frontMatter: 0,
    frontMatterBytes: 0,
    listed: [] as ListedFile[],
    stopped: false,
  };
  readonly #deps: ScanDeps;
  readonly #pasted: boolean;
  readonly #seenBy = randomBytes(8).toString('hex');
  readonly #roots: string[];
  readonly #unclear: { readonly file: SourceFile; readonly guesses: readonly EncodingGuess[] }[] = [];

  constructor(deps: ScanDeps, pasted: boolean) {
    this.#deps = deps;
    this.#pasted = pasted;
    this.#roots = listRoots(deps.queue.database).filter((root) => root !== '');
  }

  readonly skip = (folder: string, name: string, status: SkippedStatus, detail: string): void => {
    const place = this.#placeOf(folder, name);
    this.#save(place, { ...unread, status, detail });
  };

  async record(file: SourceFile, said: LegacyEncoding | null = null): Promise<void> {
    const { database } = this.#deps.queue;
    let bytes: Buffer;
    let fileStat: FileStat;
    try {
      bytes = await readFile(file.path);
      fileStat = toFileStat(await stat(file.path));
    } catch (error) {
      this.#save(this.#placeOf(file.folder, file.name), {
        ...unread,
        status: 'unreadable',
        detail: reasonOf(error),
      });
      return;
    }
    const hash = createHash('sha256').update(bytes).digest('hex');
    const place = this.#pasted ? pastedPlace(database, hash) : this.#placeOf(file.folder, file.name);
    const known = this.#knownFile(place, hash);
    const encoding = said ?? (known?.said === true ? legacyName(known.encoding ?? '') : null);
    this.totals.files += 1;
    this.totals.bytes += bytes.length;
    const answers: KnownAnswers = new Map();
    const converted = typeof file.path === 'string' ? convertNoteFile(file.path, file.name, bytes) : null;
    const text = converted === null ? bytes : Buffer.from(converted.markdown);
    fileStat = withTime(fileStat, converted?.modifiedSeconds ?? null);
    const document = cutDocument(text, {
      encoding: encoding ?? this.#deps.encoding ?? null,
      group: this.#groupOf(file, answers),
    });
    const id = this.#save(place, finding(document, hash, encoding !== null, fileStat));
    saveRemainders(database, id, document.remainders);
    this.#countRemainders(document);
    if (document.decoding.kind === 'unsure') {
      this.#unclear.push({ file, guesses: document.decoding.guesses });
      return;
    }
    this.totals.chunks += document.chunks.length;
    // An unchanged note is not cut again once some of it is committed: a different cut is no edit.
    if (known?.hash === hash && isAnyCommitted(database, chunkIdsOf(database, id))) return;
    const changes = recordNote(database, {
      file: id,
      origin: this.#pasted ? null : place.name,
      source: place.name,
      kind: this.#pasted ? 'pasted' : file.hint.kind,
      tags: document.frontMatter?.tags ?? [],
      chunks: document.chunks,
      route: ({ headings, text, part }: Chunk) =>
        this.#classify(
          file,
          { headings, text, ...(part === 'note' ? noteOf(file, document.frontMatter) : {}) },
          answers,
        ),
    });
    this.totals.added += changes.added;
    this.totals.replaced += changes.replaced;
    this.totals.changedSinceCommit += changes.changedSinceCommit;
  }

  /** Asks about files with several possible encodings, after all others are read. */
  async askEncodings(): Promise<void> {
    const { askEncoding } = this.#deps;
    if (askEncoding === undefined) return;
    let forAll: LegacyEncoding | null = null;
    const waiting = this.#unclear.splice(0);
    for (const [at, { file, guesses }] of waiting.entries()) {
      const bytes = await readFile(file.path);
      let encoding: LegacyEncoding | null = forAll !== null && readsWell(bytes, forAll) ? forAll : null;
      if (encoding === null) {
        const others = waiting.length - at - 1;
        const answer = await askEncoding({ name: file.name, bytes, guesses, others });
        encoding = answer.encoding;
        if (answer.forAll && encoding === null) return;
        if (answer.forAll) forAll = encoding;
      }
      if (encoding === null) continue;
      this.#unlist(file);
      await this.record(file, encoding);
    }
  }

  /** Notes an earlier scan has read below this folder that are not there any more. */
  listGone(source: string): void {
    const { database } = this.#deps.queue;
    const folder = realpathSync(source);
    const unreadable = this.totals.listed.filter(({ status }) => status === 'unreadable');
    for (const root of lstatSync(folder).isDirectory() ? this.#rootsLike(folder) : []) {
      if (!isInside(root, folder) && !isInside(folder, root)) continue;
      const inside = isInside(root, folder) ? relative(root, folder).split(sep).join('/') : '';
      const prefix = inside === '' ? '' : `${inside}/`;
      for (const file of unseenFiles(database, {
        root: rootId(database, root),
        prefix,
        seenBy: this.#seenBy,
      })) {
        if (unreadable.some(({ name }) => name === '.' || file.name.startsWith(name))) continue;
        markGone(database, file.id);
        this.totals.listed.push({ name: file.name, status: 'gone', detail: '' });
      }
    }
  }

  /** Relative to the longest known folder, so that scanning a part of a vault adds no duplicates. */
  #placeOf(folder: string, name: string): FilePlace {
    const path = join(folder, name);
    let root = this.#rootsLike(folder).find((known) => isInside(known, path));
    if (root === undefined) {
      root = folder;
      this.#roots.push(root);
    }
    const end = name.endsWith('/') ? '/' : '';
    const inRoot = relative(root, path).split(sep).join('/') + end;
    return { root: rootId(this.#deps.queue.database, root), name: inRoot === end ? '.' : inRoot };
  }

  /** A folder around the knowledge base also contains the unpacked archives and exports, which are roots of their own. */
  #rootsLike(folder: string): readonly string[] {
    const { exportStore } = this.#deps;
    if (exportStore === undefined) return this.#roots;
    const isStored = isInside(exportStore, folder);
    return this.#roots.filter((root) => isInside(exportStore, root) === isStored);
  }

  /** A note that was renamed or moved with its folder is still the same note. */
  #knownFile(place: FilePlace, hash: string): StoredFile | null {
    const { database } = this.#deps.queue;
    const known = findFile(database, place.root, place.name);
    if (known !== null || this.#pasted) return known;
    const moved = filesLike(database, { name: place.name, hash }).find((file) => !isThere(file));
    if (moved === undefined) return null;
    moveFile(database, moved.id, place.root, place.name);
    return moved;
  }

  #splitOf({ hint }: SourceFile): SplitMode {
    const { split = 'auto' } = this.#deps;
    if (split !== 'auto' || hint.target === null) return split;
    return hint.target === 'AI_RULES' ? 'sections' : 'whole';
  }

  #groupOf(file: SourceFile, answers: KnownAnswers): NonNullable<CutOptions['group']> {
    return (sections, frontMatter, textOf) =>
      groupSections(
        sections,
        this.#splitOf(file),
        (headings, text, isWhole) =>
          headings === null
            ? this.#deps.classify({ headings: [], text, path: null })
            : this.#classify(
                file,
                { headings, text, ...(isWhole ? noteOf(file, frontMatter) : {}) },
                answers,
              ),
        textOf,
      );
  }

  #classify(
    { hint, name }: SourceFile,
    input: Omit<ClassifierInput, 'path'>,
    answers: KnownAnswers,
  ): Classification {
    const { target, reason } = hint;
    if (target !== null && !this.#pasted)
      return { target, confidence: hintConfidence, reasons: [reason], alternatives: [] };
    const key = JSON.stringify([input.headings, input.note !== undefined]);
    const ofText = answers.get(input.text) ?? new Map<string, Classification>();
    const known = ofText.get(key);
    if (known !== undefined) return known;
    const answer = this.#deps.classify({ ...input, path: this.#pasted ? null : name });
    answers.set(input.text, ofText.set(key, answer));
    return answer;
  }

  #save(place: FilePlace, found: FileFinding): number {
    const id = saveFile(this.#deps.queue.database, { ...place, seenBy: this.#seenBy }, found);
    const { status, detail } = found;
    if (status !== 'read' || detail !== '') this.totals.listed.push({ name: place.name, status, detail });
    return id;
  }

  #unlist({ name }: SourceFile): void {
    const at = this.totals.listed.findIndex((file) => file.name === name || file.name.endsWith(`/${name}`));
    if (at !== -1) this.totals.listed.splice(at, 1);
    this.totals.files -= 1;
  }

  #countRemainders({ remainders }: CutDocument): void {
    for (const { kind, start, end } of remainders) {
      if (end === start) continue;
      this.totals.remainders += 1;
      this.totals.remainderBytes += end - start;
      if (kind !== 'front-matter') continue;
      this.totals.frontMatter += 1;
      this.totals.frontMatterBytes += end - start;
    }
  }
}

function noteOf({ siblings }: SourceFile, frontMatter: FrontMatter | null): Pick<ClassifierInput, 'note'> {
  return {
    note: { properties: frontMatter?.properties ?? null, tags: frontMatter?.tags ?? [], folder: siblings },
  };
}

const unread: FileFinding = {
  status: 'unreadable',
  detail: '',
  hash: null,
  encoding: null,
  confidence: null,
  said: false,
  frontMatter: null,
  stat: null,
};

/** A copied file can be younger than its content: the earlier of both times is the better date of creation. */
function toFileStat({ mode, mtime, mtimeMs, birthtime, birthtimeMs }: Stats): FileStat {
  const created = birthtimeMs > 0 && birthtimeMs < mtimeMs ? birthtime : mtime;
  return {
    mode: mode & 0o777,
    modifiedMs: mtimeMs,
    modifiedAt: mtime.toISOString(),
    createdAt: created.toISOString(),
  };
}

/** The program's own time of change is better than that of the exported file. */
function withTime(stat: FileStat, seconds: number | null): FileStat {
  const modifiedAt = seconds === null ? '' : isoTime(seconds);
  if (seconds === null || modifiedAt === '') return stat;
  const createdAt = stat.createdAt < modifiedAt ? stat.createdAt : modifiedAt;
  return { ...stat, modifiedMs: seconds * 1000, modifiedAt, createdAt };
}

function finding(document: CutDocument, hash: string, said: boolean, fileStat: FileStat): FileFinding {
  const { decoding } = document;
  if (decoding.kind === 'binary') return { ...unread, status: 'binary', hash };
  if (decoding.kind === 'unsure') {
    const names = decoding.guesses.slice(0, 5).map(({ encoding }) => encoding);
    return { ...unread, status: 'encoding unclear', detail: names.join(' or '), hash };
  }
  const { encoding, confidence, strayBytes } = decoding;
  const details: string[] = [];
  if (confidence < 1)
    details.push(`read as ${encoding}, with a certainty of ${Math.round(confidence * 100)} %`);
  if (strayBytes > 0) details.push(`bytes that are not UTF-8 and were read as windows-1252: ${strayBytes}`);
  return {
    status: document.chunks.length === 0 ? 'blank' : 'read',
    detail: details.join('; '),
    hash,
    encoding,
    confidence,
    said,
    frontMatter: document.frontMatter?.source ?? null,
    stat: fileStat,
  };
}

/** Pasted text is known by its content alone. */
function pastedPlace(database: ScanDeps['queue']['database'], hash: string): FilePlace {
  return { root: rootId(database, ''), name: `pasted text (${hash.slice(0, 8)})` };
}

function isThere({ root, name }: StoredFile): boolean {
  return lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined;
}
