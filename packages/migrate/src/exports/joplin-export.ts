import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { noteFileName } from '../commit/note-title.ts';
import { secondsOf } from '../sources/calendar-time.ts';
import { fileAddress, noteMarkdown } from './converted-note.ts';
import type { ExportFolder } from './export-folder.ts';
import { filesFolder } from './export-folder.ts';
import { htmlMarkdown } from './html-markdown.ts';
import { HtmlLimitError, parseHtml } from './html-tree.ts';
import type { JoplinItem } from './joplin-item.ts';
import { joplinFile, joplinTypes, readJoplinItem } from './joplin-item.ts';
import { unpackTar } from './tar-archive.ts';

const notebookDepthMax = 50;
/** It becomes part of a path. */
const extensionForm = /^\w{1,10}$/;
/** Values of properties that say nothing. */
const defaultValue = /^(?:|0|0\.0+|1970-01-01T00:00:00\.000Z)$/;
const used = new Set([
  'created_time',
  'updated_time',
  'user_created_time',
  'user_updated_time',
  'type_',
  'parent_id',
]);

/** Converts a JEX file, which is a tar archive of a RAW export. */
export async function convertJex(path: string, folder: ExportFolder): Promise<void> {
  const raw = join(folder.path, '.raw');
  mkdirSync(raw, { recursive: true, mode: 0o700 });
  try {
    unpackTar(path, raw, folder);
    await convertJoplin(raw, folder);
  } finally {
    rmSync(raw, { recursive: true, force: true });
  }
}

/** Converts a folder that Joplin exported as RAW. */
export async function convertJoplin(path: string, folder: ExportFolder): Promise<void> {
  const converter = new JoplinConverter(path, folder);
  for (const name of readdirSync(path).sort()) converter.read(name);
  converter.write();
  return Promise.resolve();
}

type Head = Omit<JoplinItem, 'body'>;

class JoplinConverter {
  readonly #path: string;
  readonly #folder: ExportFolder;
  readonly #items = new Map<string, Head>();
  readonly #names = new Map<string, string>();
  readonly #tags = new Map<string, string[]>();
  /** Items that are no notes, as Joplin wrote them. */
  readonly #others: string[] = [];

  constructor(path: string, folder: ExportFolder) {
    this.#path = path;
    this.#folder = folder;
  }

  /** Texts of notes are read again when they are written: memory does not depend on them. */
  read(name: string): void {
    if (!joplinFile.test(name)) {
      if (name !== 'resources') this.#folder.list(name, 'remainder', 'it is not a Joplin item');
      return;
    }
    if (!isPlainFile(join(this.#path, name))) {
      this.#folder.list(name, 'link', '');
      return;
    }
    const text = readFileSync(join(this.#path, name), 'utf8');
    const item = readJoplinItem(text);
    if (item === null) {
      this.#folder.writeFile(
        this.#folder.reserve('', name.replace(/\.md$/, ''), '.md'),
        Buffer.from(text),
        null,
      );
      return;
    }
    const { id, type, title, properties } = item;
    this.#items.set(id, { id, type, title, properties });
    if (type !== joplinTypes.note) this.#others.push(text.trim());
  }

  write(): void {
    for (const item of this.#items.values()) this.#reserve(item);
    for (const item of this.#items.values()) {
      if (item.type === joplinTypes.note) this.#writeNote(item);
      else if (item.type === joplinTypes.resource) this.#writeResource(item);
    }
    if (this.#others.length === 0) return;
    const name = this.#folder.reserve(filesFolder, 'Joplin', '.remainder');
    this.#folder.writeFile(name, Buffer.from(this.#others.join('\n\n\n')), null);
    this.#folder.list(name, 'remainder', 'data of notebooks, tags and attachments');
  }

  #reserve({ id, type, title, properties }: Head): void {
    const value = (name: string): string => properties.get(name) ?? '';
    if (type === joplinTypes.note) {
      const folder = this.#notebooks(value('parent_id')).map(noteFileName).join('/');
      this.#names.set(id, this.#folder.reserve(folder, title === '' ? 'Untitled' : title, '.md'));
    } else if (type === joplinTypes.resource) {
      const extension = value('file_extension');
      const written = value('filename') === '' ? title : value('filename');
      this.#names.set(
        id,
        this.#folder.reserveFile(written, extensionForm.test(extension) ? `.${extension}` : ''),
      );
    } else if (type === joplinTypes.noteTag) {
      const tag = this.#items.get(value('tag_id'))?.title ?? '';
      const tags = this.#tags.get(value('note_id')) ?? [];
      if (tag !== '') this.#tags.set(value('note_id'), [...tags, tag]);
    }
  }

  /** The titles of the notebooks around a note, the outermost first. */
  #notebooks(id: string): readonly string[] {
    const titles: string[] = [];
    let parent = this.#items.get(id);
    while (parent?.type === joplinTypes.folder && titles.length < notebookDepthMax) {
      titles.unshift(parent.title);
      parent = this.#items.get(parent.properties.get('parent_id') ?? '');
    }
    return titles;
  }

  #writeResource({ id, title, properties }: Head): void {
    const extension = properties.get('file_extension') ?? '';
    const name = this.#names.get(id) ?? '';
    const stored = extensionForm.test(extension) ? [`${id}.${extension}`, id] : [id];
    const file = stored.map((one) => join(this.#path, 'resources', one)).find(isPlainFile);
    if (file === undefined) {
      this.#folder.list(name, 'remainder', `the export contains no data of ${title}`);
      return;
    }
    const copy = join(this.#folder.path, 'resource.tmp');
    copyFileSync(file, copy);
    this.#folder.adoptFile(name, copy, timeOf(properties, 'updated'));
  }

  #writeNote({ id, title, properties }: Head): void {
    const name = this.#names.get(id) ?? '';
    const body = readJoplinItem(readFileSync(join(this.#path, `${id}.md`), 'utf8'))?.body ?? '';
    const seconds = timeOf(properties, 'updated') ?? timeOf(properties, 'created');
    const cipher = properties.get('encryption_cipher_text') ?? '';
    const rest = [...properties].filter(
      ([key, value]) => !used.has(key) && key !== 'encryption_cipher_text' && !defaultValue.test(value),
    );
    const text =
      cipher === '' ? this.#markdown(body, name, properties) : this.#encrypted(name, cipher, seconds);
    const front: readonly (readonly [string, unknown])[] = [
      ['title', title],
      ['notebook', this.#notebooks(properties.get('parent_id') ?? '').join(' / ')],
      ['tags', this.#tags.get(id)],
      ['created', properties.get('user_created_time') ?? properties.get('created_time')],
      ['modified', properties.get('user_updated_time') ?? properties.get('updated_time')],
      ['joplin', Object.fromEntries(rest)],
    ];
    this.#folder.writeNote(name, noteMarkdown(front, text), seconds);
  }

  #encrypted(note: string, cipher: string, seconds: number | null): string {
    const name = this.#folder.reserve(filesFolder, `${note.split('/').at(-1) ?? ''} encrypted`, '.encrypted');
    this.#folder.writeFile(name, Buffer.from(cipher), seconds);
    this.#folder.list(name, 'encrypted', `encrypted text of ${note}`);
    return `[encrypted text](${this.#address(note, name)})`;
  }

  #markdown(body: string, from: string, properties: ReadonlyMap<string, string>): string {
    const linked = body.replace(/(?<=[("'<\s]|^):\/([0-9a-f]{32})(?=[#)"'>\s]|$)/g, (whole, id: string) => {
      const name = this.#names.get(id);
      return name === undefined ? whole : this.#address(from, name);
    });
    if (properties.get('markup_language') !== '2') return linked;
    try {
      return htmlMarkdown(parseHtml(linked));
    } catch (error) {
      if (!(error instanceof HtmlLimitError)) throw error;
      return linked;
    }
  }

  #address(from: string, to: string): string {
    return '../'.repeat(from.split('/').length - 1) + fileAddress(to);
  }
}

/** Links lead out of the export. */
function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function timeOf(properties: ReadonlyMap<string, string>, what: 'created' | 'updated'): number | null {
  return secondsOf(properties.get(`user_${what}_time`) ?? properties.get(`${what}_time`) ?? '');
}
