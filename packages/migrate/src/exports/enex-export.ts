import { createReadStream } from 'node:fs';
import { join } from 'node:path';

import { Parser } from 'htmlparser2';

import { EnexNote } from './enex-note.ts';
import { ResourceFile } from './enex-resource.ts';
import type { ExportFolder } from './export-folder.ts';
import { ExportError } from './export-folder.ts';

/** Evernote writes six levels. A parser keeps the open elements in an array that a longer one would slow down. */
const depthMax = 100;
/** The text of one note that may be in memory; Evernote itself allows 5 MB. */
const noteCharsMax = 64 * 1024 * 1024;
/** No element may be longer than this without an end. */
const pendingCharsMax = 2 * noteCharsMax;

/**
 * Converts an export of Evernote. The file is read in pieces and attachments are written while they are read, so that
 * memory depends on the largest note and not on the file. Entities of a document type are never expanded.
 */
export async function convertEnex(path: string, folder: ExportFolder): Promise<void> {
  const reader = new EnexReader(folder);
  try {
    let decoder: TextDecoder | null = null;
    for await (const piece of createReadStream(path, {
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Buffer>) {
      decoder ??= decoderOf(piece);
      reader.write(decoder.decode(piece, { stream: true }));
    }
    reader.write(decoder?.decode() ?? '');
    reader.end();
  } finally {
    reader.close();
  }
}

function decoderOf(start: Buffer): TextDecoder {
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0x3c && start[1] === 0);
  const declared = /^[^>]{0,200}encoding=["']([\w-]{1,40})["']/.exec(start.toString('latin1', 0, 300))?.[1];
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : (declared ?? 'utf-8'));
  } catch {
    return new TextDecoder();
  }
}

class EnexReader {
  readonly #folder: ExportFolder;
  readonly #parser: Parser;
  readonly #open: string[] = [];
  #attributes: Readonly<Record<string, string>> = {};
  #note: EnexNote | null = null;
  #resource: ResourceFile | null = null;
  #text: string[] = [];
  #stray: string[] = [];
  #pending = 0;
  #chars = 0;
  #replaced = 0;

  constructor(folder: ExportFolder) {
    this.#folder = folder;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#onOpen(name, attributes),
        ontext: (text) => this.#onText(text),
        onclosetag: (name, isImplied) => this.#onClose(name, isImplied),
      },
      { xmlMode: true },
    );
  }

  write(text: string): void {
    this.#pending += text.length;
    if (this.#pending > pendingCharsMax) throw new ExportError('an element of the export has no end');
    for (const _ of text.matchAll(/\ufffd/g)) this.#replaced += 1;
    this.#parser.write(text);
  }

  end(): void {
    const isOpen = this.#open.length > 0;
    this.#parser.end();
    if (isOpen)
      this.#folder.list('end of the export', 'remainder', 'the export ends inside a note; it is cut off');
    if (this.#replaced > 0)
      this.#folder.list(
        'text',
        'remainder',
        `characters that are not in the encoding of the file: ${this.#replaced}`,
      );
    if (this.#stray.length > 0) {
      const name = this.#folder.reserve('', 'Text outside of notes', '.remainder');
      this.#folder.writeFile(name, Buffer.from(this.#stray.join('\n')), null);
      this.#folder.list(name, 'remainder', 'text outside of notes');
    }
  }

  close(): void {
    this.#resource?.discard();
    this.#resource = null;
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#pending = 0;
    this.#open.push(name);
    if (this.#open.length > depthMax)
      throw new ExportError('the elements of the export are nested too deeply');
    this.#flushText();
    this.#attributes = attributes;
    if (name === 'note') {
      this.#note = new EnexNote(this.#folder);
      this.#chars = 0;
    } else if (name === 'resource' && this.#note !== null) {
      this.#resource?.discard();
      this.#resource = new ResourceFile(join(this.#folder.path, 'resource.tmp'));
    }
  }

  #onText(text: string): void {
    this.#pending = 0;
    if (this.#resource !== null && this.#open.at(-1) === 'data') {
      this.#resource.write(text);
      return;
    }
    this.#chars += text.length;
    if (this.#chars > noteCharsMax) throw new ExportError('a note of the export has more than 64 MB of text');
    this.#text.push(text);
  }

  #onClose(name: string, isImplied: boolean): void {
    this.#pending = 0;
    if (isImplied && name === 'note') this.#flushText();
    const text = this.#text.join('');
    this.#text = [];
    const path = this.#open.slice(this.#open.lastIndexOf('note') + 1).join('/');
    if (name === 'note') {
      this.#addStray(text);
      this.#note?.write();
      this.#note = null;
    } else if (name === 'resource' && this.#note !== null && this.#resource !== null) {
      this.#note.addResource(this.#resource);
      this.#resource = null;
    } else if (this.#note !== null) this.#note.addField(path, text, this.#attributes);
    else this.#addStray(text);
    this.#open.pop();
  }

  /** Text beside elements, such as the rest of a broken note. */
  #flushText(): void {
    const text = this.#text.join('');
    this.#text = [];
    if (this.#note !== null && this.#open.at(-2) === 'content') this.#note.addField('content', text, {});
    else this.#addStray(text);
  }

  #addStray(text: string): void {
    if (text.trim() !== '') this.#stray.push(text.trim());
  }
}
