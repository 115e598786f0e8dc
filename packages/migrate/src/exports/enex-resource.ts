import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';

/** An attachment that is decoded into a file while it is read. Notes refer to it by the MD5 of its content. */
export class ResourceFile {
  readonly path: string;
  readonly fields = new Map<string, string>();
  bytes = 0;
  #file: number | null;
  #rest = '';
  readonly #hash: Hash = createHash('md5');
  /** Characters that are not Base64. */
  strayChars = 0;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'w', 0o600);
  }

  write(text: string): void {
    const compact = text.replace(/\s+/g, '');
    const clean = compact.replace(/[^A-Za-z\d+/=]+/g, '');
    this.strayChars += compact.length - clean.length;
    const all = this.#rest + clean;
    const whole = all.length - (all.length % 4);
    this.#rest = all.slice(whole);
    this.#add(Buffer.from(all.slice(0, whole), 'base64'));
  }

  /** The hash of the content. */
  finish(): string {
    this.#add(Buffer.from(this.#rest, 'base64'));
    this.#rest = '';
    this.#close();
    return this.#hash.digest('hex');
  }

  discard(): void {
    this.#close();
    rmSync(this.path, { force: true });
  }

  #add(content: Buffer): void {
    if (this.#file === null || content.length === 0) return;
    writeSync(this.#file, content);
    this.#hash.update(content);
    this.bytes += content.length;
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
