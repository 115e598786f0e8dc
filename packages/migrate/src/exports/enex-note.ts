import { noteFileName } from '../commit/note-title.ts';
import { isoTime, secondsOf } from '../sources/calendar-time.ts';
import { fileAddress, linkLabel, noteMarkdown } from './converted-note.ts';
import type { ResourceFile } from './enex-resource.ts';
import type { ExportFolder } from './export-folder.ts';
import { filesFolder } from './export-folder.ts';
import { htmlMarkdown, taskMark } from './html-markdown.ts';
import type { HtmlElement } from './html-tree.ts';
import { HtmlLimitError, parseHtml, textOf } from './html-tree.ts';
import { inlineText, joinLines } from './markdown-text.ts';

interface Attachment {
  readonly name: string;
  readonly type: string;
  /** The name that the person gave it. */
  readonly label: string;
}

/** Longer values would not be read as front matter. */
const propertyCharsMax = 4000;
const propertiesMax = 200;
const extensions: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/svg+xml': '.svg',
  'application/pdf': '.pdf',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/amr': '.amr',
  'audio/x-m4a': '.m4a',
  'video/mp4': '.mp4',
  'text/plain': '.txt',
  'text/html': '.html',
};
const noteAddress =
  /^(?:evernote:\/\/\/view\/|https:\/\/(?:share\.evernote\.com\/note|(?:www|app)\.(?:evernote|yinxiang)\.com\/shard\/[^/]+\/nl)\/)/i;

/** A note of Evernote, collected while the export is read and written at its end. */
export class EnexNote {
  readonly #folder: ExportFolder;
  #title = '';
  #content = '';
  #created = '';
  #updated = '';
  readonly #tags: string[] = [];
  /** Everything else, by the path of its element. */
  readonly #rest: [path: string, text: string][] = [];
  #resourceFields: [path: string, text: string][] = [];
  readonly #byHash = new Map<string, Attachment>();
  readonly #used = new Set<string>();
  readonly #attachments: Attachment[] = [];
  readonly #tasks: Map<string, string>[] = [];
  readonly #tasksShown = new Set<Map<string, string>>();
  #name = '';
  #seconds: number | null = null;

  constructor(folder: ExportFolder) {
    this.#folder = folder;
  }

  addField(path: string, text: string, attributes: Readonly<Record<string, string>>): void {
    const value = text.trim();
    if (path === 'content') this.#content += text;
    else if (path === 'task') return;
    else if (path.startsWith('task/')) this.#addTask(path.slice(5), value);
    else if (value === '') return;
    else if (path === 'title' && this.#title === '') this.#title = value;
    else if (path === 'created' && this.#created === '') this.#created = value;
    else if (path === 'updated' && this.#updated === '') this.#updated = value;
    else if (path === 'tag') this.#tags.push(value);
    else if (path.startsWith('resource/')) this.#resourceFields.push([path.slice(9), value]);
    else {
      const key = attributes['key'];
      this.#rest.push([path.replace('note-attributes/', '') + (key === undefined ? '' : `:${key}`), value]);
    }
  }

  #addTask(field: string, value: string): void {
    if (field === 'title') this.#tasks.push(new Map());
    if (value !== '') this.#tasks.at(-1)?.set(field, value);
  }

  addResource(resource: ResourceFile): void {
    const hash = resource.finish();
    const fields = this.#resourceFields;
    this.#resourceFields = [];
    const valueOf = (path: string): string => fields.find(([one]) => one === path)?.[1] ?? '';
    const label = valueOf('resource-attributes/file-name');
    const type = valueOf('mime').toLowerCase();
    const others = fields.filter(([path]) => path !== 'mime' && path !== 'resource-attributes/file-name');
    if (resource.strayChars > 0) others.push(['damaged', `${resource.strayChars} characters are not Base64`]);
    let name = '';
    if (resource.bytes === 0) {
      resource.discard();
      this.#folder.list(
        label === '' ? 'attachment' : label,
        'remainder',
        'the export contains no data for it',
      );
      if (label !== '') others.push(['empty', label]);
    } else {
      name = this.#folder.reserveFile(label, extensions[type] ?? '');
      this.#folder.adoptFile(name, resource.path, secondsOf(valueOf('resource-attributes/timestamp')));
      const attachment = { name, type, label: label === '' ? (name.split('/').at(-1) ?? '') : label };
      this.#byHash.set(hash, attachment);
      this.#attachments.push(attachment);
    }
    const known = others.filter(([path, text]) => path !== 'duration' || text !== '0');
    for (const [path, text] of known)
      this.#rest.push([
        `attachment ${this.#attachments.length}:${path.replace('resource-attributes/', '')}`,
        text,
      ]);
  }

  write(): void {
    this.#seconds = secondsOf(this.#updated) ?? secondsOf(this.#created);
    const title = this.#title.replace(/\s+/g, ' ');
    this.#name = this.#folder.reserve('', title === '' ? 'Untitled' : title, '.md');
    const body = [this.#body(), this.#restTasks(), this.#restFiles()]
      .filter((part) => part !== '')
      .join('\n\n');
    const { short, long } = this.#sortRest();
    if (long !== '') this.#writeRemainder('other data of the note', long);
    const created = secondsOf(this.#created);
    const updated = secondsOf(this.#updated);
    const properties: (readonly [string, unknown])[] = [
      ['title', title],
      ['tags', this.#tags],
      ['created', created === null ? this.#created : isoTime(created)],
      ['modified', updated === null ? this.#updated : isoTime(updated)],
      ['evernote', short],
    ];
    this.#folder.writeNote(this.#name, noteMarkdown(properties, body), this.#seconds);
  }

  #body(): string {
    try {
      return htmlMarkdown(parseHtml(this.#content), {
        inline: (element) => this.#inline(element),
        block: (element) => this.#taskGroup(element),
        code: codeLanguage,
        address: (address, label) => this.#address(address, label),
      });
    } catch (error) {
      if (!(error instanceof HtmlLimitError)) throw error;
      const name = this.#folder.reserve(filesFolder, this.#title, '.enml');
      this.#folder.writeFile(name, Buffer.from(this.#content), this.#seconds);
      this.#folder.list(name, 'remainder', `text of ${this.#name}: ${error.message}`);
      return `[Text of the note as Evernote wrote it](${fileAddress(name)})`;
    }
  }

  #inline(element: HtmlElement): string | null {
    const { name, attributes, children } = element;
    if (name === 'en-todo') return taskMark(attributes['checked'] === 'true') + this.#text(children);
    if (name === 'en-media')
      return this.#media(attributes['hash']?.toLowerCase() ?? '') + this.#text(children);
    return name === 'en-crypt' ? this.#encrypted(element) : null;
  }

  /** Elements that should be empty may contain text in broken notes. */
  #text(children: HtmlElement['children']): string {
    return inlineText(textOf(children));
  }

  #media(hash: string): string {
    const found = this.#byHash.get(hash);
    if (found === undefined) return `[attachment that the export does not contain](evernote-media:${hash})`;
    this.#used.add(found.name);
    return embed(found);
  }

  #encrypted({ attributes, children }: HtmlElement): string {
    const name = this.#folder.reserve(filesFolder, `${this.#title} encrypted`, '.encrypted');
    const head = Object.entries(attributes).map(([key, value]) => `${key}: ${value}\n`);
    this.#folder.writeFile(name, Buffer.from(`${head.join('')}\n${textOf(children)}\n`), this.#seconds);
    this.#folder.list(name, 'encrypted', `encrypted text of ${this.#name}`);
    const hint = attributes['hint'] ?? '';
    return `[${linkLabel(`encrypted text${hint === '' ? '' : `, hint: ${hint}`}`)}](${fileAddress(name)})`;
  }

  #taskGroup({ name, attributes }: HtmlElement): string | null {
    const style = attributes['style'] ?? '';
    if (name !== 'div' || !/--en-task-group:\s*true/.test(style)) return null;
    const id = /--en-id:\s*([\w-]+)/.exec(style)?.[1] ?? '';
    const tasks = this.#tasks.filter((task) => task.get('taskGroupNoteLevelID') === id);
    for (const task of tasks) this.#tasksShown.add(task);
    return tasks.length === 0 ? null : taskList(tasks);
  }

  #restTasks(): string {
    return taskList(this.#tasks.filter((task) => !this.#tasksShown.has(task)));
  }

  /** Attachments that the text does not show. */
  #restFiles(): string {
    return this.#attachments
      .filter(({ name }) => !this.#used.has(name))
      .map(embed)
      .join('\n');
  }

  #address(address: string, label: string): string {
    if (noteAddress.test(address) && label.trim() !== '') {
      this.#rest.push([`link to ${label.replace(/\s+/g, ' ').trim()}`, address]);
      return noteReference(label);
    }
    const data = /^data:([\w.+/-]*)((?:;[\w=-]+)*),/i.exec(address);
    if (data === null) return address.trim() === '' ? '' : markdownUrl(address);
    const [, type = '', options = ''] = data;
    const content = address.slice(data[0].length);
    const bytes = /;base64$/i.test(options) ? Buffer.from(content, 'base64') : Buffer.from(decoded(content));
    const name = this.#folder.reserveFile(label, extensions[type.toLowerCase()] ?? '');
    this.#folder.writeFile(name, bytes, this.#seconds);
    return fileAddress(name);
  }

  #sortRest(): { readonly short: Readonly<Record<string, string>>; readonly long: string } {
    const long: string[] = [];
    const short = new Map<string, string>();
    for (const [path, text] of this.#rest) {
      const value = short.has(path) ? `${short.get(path) ?? ''}, ${text}` : text;
      const isLong = value.length > propertyCharsMax || (short.size >= propertiesMax && !short.has(path));
      if (isLong || /recognition|alternate-data/.test(path)) long.push(`${path}:\n${text}\n`);
      else short.set(path, value);
    }
    for (const [at, task] of this.#tasks.entries())
      for (const [field, text] of task)
        if (!shownInTask.has(field)) long.push(`task ${at + 1} ${field}:\n${text}\n`);
    return { short: Object.fromEntries(short), long: long.join('\n') };
  }

  #writeRemainder(what: string, text: string): void {
    const name = this.#folder.reserve(filesFolder, this.#title, '.remainder');
    this.#folder.writeFile(name, Buffer.from(text), this.#seconds);
    this.#folder.list(name, 'remainder', `${what} ${this.#name}`);
  }
}

const shownInTask = new Set(['title', 'taskStatus', 'dueDate']);

function taskList(tasks: readonly Map<string, string>[]): string {
  return tasks
    .map((task) => {
      const due = task.get('dueDate') ?? '';
      const seconds = secondsOf(due);
      const when = due === '' ? '' : ` (due ${seconds === null ? due : isoTime(seconds).slice(0, 10)})`;
      const title = joinLines(inlineText(task.get('title') ?? ''));
      return `- ${taskMark(task.get('taskStatus') === 'completed')}${title}${when}`;
    })
    .join('\n');
}

function embed({ name, type, label }: Attachment): string {
  const isShown = /^(?:image|audio|video)\//.test(type) || /\.(?:png|jpe?g|gif|webp|svg|pdf)$/i.test(name);
  return `${isShown ? '!' : ''}[${linkLabel(label)}](${fileAddress(name)})`;
}

/** Exports contain no ids of notes: a link refers to the note with its text as the title. */
function noteReference(label: string): string {
  const title = label.replace(/\s+/g, ' ').trim();
  const name = noteFileName(title);
  if (/[[\]|#^]/.test(name)) return `[${linkLabel(title)}](${fileAddress(`${name}.md`)})`;
  return name === title ? `[[${name}]]` : `[[${name}|${title.replace(/[[\]|]+/g, ' ')}]]`;
}

function markdownUrl(address: string): string {
  return address.trim().replace(/[\s()<>]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function codeLanguage({ attributes }: HtmlElement): string | null {
  const style = attributes['style'] ?? '';
  if (!/-en-codeblock:\s*true/.test(style)) return null;
  const language = /--en-(?:codeblockLanguage|syntaxLanguage):\s*([^;]*)/.exec(style)?.[1]?.trim() ?? '';
  return language === 'plaintext' ? '' : language;
}
