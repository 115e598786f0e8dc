import { growTiles, writeBundle } from '../src/log/append.ts';
import { canonicalJson } from '../src/log/canonical-json.ts';
import { leafHash, tilePath, TileTree } from '../src/log/index.ts';
import { sha256 } from '../src/log/merkle.ts';
import type { ProvenEntry, RecordProof } from '../src/log/proof.ts';
import { toBase64, toHex } from '../src/log/signed-note.ts';
import {
  signNote,
  writeCheckpoint,
  writeEpochStatement,
  writeNote,
  writeVerifierKey,
} from '../src/log/signing.ts';
import type { NoteSignature } from '../src/log/signing.ts';

export interface TestKey {
  readonly name: string;
  /** As a reader knows it. */
  readonly verifierKey: string;
  readonly signatureOf: (text: string, seconds?: number) => Promise<NoteSignature>;
}

export async function createTestKey(name: string, kind: 'log' | 'witness' = 'log'): Promise<TestKey> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Ed25519 has two keys');
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return {
    name,
    verifierKey: await writeVerifierKey(name, kind, publicKey),
    signatureOf: (text, seconds = 0) =>
      signNote(text, {
        name,
        kind,
        publicKey,
        seconds,
        sign: async (message) =>
          new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message)),
      }),
  };
}

interface Leaf {
  readonly entry: ProvenEntry;
  readonly body: unknown;
  readonly salt: string | null;
}

/** A log in memory, with everything that a dishonest operator could change. */
export class TestLog {
  key: TestKey;
  leaves: Leaf[] = [];
  /** Earlier and present epochs: name, and the statement of its beginning. */
  epochs: { origin: string; statement: string | null }[];
  #tiles = new Map<string, Uint8Array>();
  #grown = 0;

  constructor(key: TestKey) {
    this.key = key;
    this.epochs = [{ origin: key.name, statement: null }];
  }

  static async create(name = 'news.example/log'): Promise<TestLog> {
    return new TestLog(await createTestKey(name));
  }

  /** The same log so far, which can continue in another way. */
  copy(): TestLog {
    const other = new TestLog(this.key);
    other.leaves = [...this.leaves];
    other.epochs = [...this.epochs];
    return other;
  }

  async append(id: string, body: unknown, rest: Partial<ProvenEntry> = {}): Promise<number> {
    const salt = body === null ? null : toHex(crypto.getRandomValues(new Uint8Array(32)));
    const revision = this.leaves.filter(({ entry }) => entry.id === id).length + 1;
    const bodyHash =
      salt === null
        ? null
        : toHex(await sha256(fromHex(salt), new TextEncoder().encode(canonicalJson(body))));
    const action = body === null ? 'withdrawn' : revision === 1 ? 'published' : 'revised';
    const at = new Date(Date.UTC(2026, 10, 14) + this.leaves.length * 1000).toISOString();
    const entry = { version: 1, kind: 'item', action, id, revision, at, bodyHash, ...rest };
    this.leaves.push({ entry, body, salt });
    return this.leaves.length - 1;
  }

  async tree(size: number = this.leaves.length): Promise<TileTree> {
    await this.#grow();
    return new TileTree(size, this.#readTile);
  }

  async checkpoint(
    size: number = this.leaves.length,
    signatures: readonly NoteSignature[] = [],
  ): Promise<string> {
    const root = await (await this.tree(size)).root();
    const text = writeCheckpoint({ origin: this.key.name, size, root });
    return writeNote({ text, signatures: [await this.key.signatureOf(text), ...signatures] });
  }

  async proof(index: number, size: number = this.leaves.length): Promise<RecordProof> {
    const { entry, body, salt } = this.leaves[index] as Leaf;
    const inclusion = await (await this.tree(size)).inclusionProof(index);
    return {
      entry,
      body,
      salt,
      leafIndex: index,
      inclusion: inclusion.map(toBase64),
      checkpoint: await this.checkpoint(size),
    };
  }

  /** Continues under another name, with its first leaves. */
  async rename(name: string, size: number = this.leaves.length): Promise<void> {
    const begun = await createTestKey(name);
    const root = await (await this.tree(size)).root();
    const at = '2026-11-18T09:30:00.000Z';
    const text = writeEpochStatement({
      from: { origin: this.key.name, size, root },
      to: begun.verifierKey,
      at,
    });
    const signatures = [await this.key.signatureOf(text), await begun.signatureOf(text)];
    this.epochs.push({ origin: name, statement: writeNote({ text, signatures }) });
    this.leaves = this.leaves.slice(0, size);
    this.#tiles.clear();
    this.#grown = 0;
    this.key = begun;
  }

  /** Serves the log as an installation does; null for another path. */
  async serve(path: string): Promise<Uint8Array | null> {
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
    const prefix = this.epochs.length === 1 ? '/log' : `/log/${this.epochs.length}`;
    if (path === '/log/keys') return encode(`${this.key.verifierKey}\n`);
    if (path === '/log/epochs')
      return encode(
        JSON.stringify({
          schemaVersion: 1,
          epochs: this.epochs.map((one, at) => ({
            epoch: at + 1,
            path: at === 0 ? '/log' : `/log/${at + 1}`,
            ...one,
          })),
        }),
      );
    if (path === `${prefix}/checkpoint`) return encode(await this.checkpoint());
    if (!path.startsWith(`${prefix}/tile/`)) return null;
    await this.#grow();
    const file = path.slice(prefix.length + 1);
    const [, bundle, width] = /^tile\/entries\/(.+?)(?:\.p\/(\d+))?$/u.exec(file) ?? [];
    if (bundle !== undefined) {
      const first = Number(bundle.replaceAll(/\D/gu, '')) * 256;
      const leaves = this.leaves.slice(first, first + Number(width ?? 256));
      return writeBundle(leaves.map(({ entry }) => encode(canonicalJson(entry))));
    }
    const [, level = '', index = '', partial] = /^tile\/(\d)\/(.+?)(?:\.p\/(\d+))?$/u.exec(file) ?? [];
    const tile = {
      level: Number(level),
      index: Number(index.replaceAll(/\D/gu, '')),
      width: Number(partial ?? 256),
    };
    const bytes = await this.#readTile(tile);
    return bytes.length === tile.width * 32 && tilePath(tile) === file ? bytes : null;
  }

  /** Answers requests for files of the log. */
  readonly fetch = async (url: string): Promise<Response> => {
    const bytes = await this.serve(new URL(url).pathname);
    return bytes === null
      ? new Response('', { status: 404 })
      : new Response(bytes as Uint8Array<ArrayBuffer>);
  };

  readonly #readTile = async ({ level, index, width }: { level: number; index: number; width: number }) =>
    (this.#tiles.get(`${level} ${index}`) ?? new Uint8Array()).slice(0, width * 32);

  async #grow(): Promise<void> {
    const added = this.leaves.slice(this.#grown);
    if (added.length === 0) return;
    const hashes = await Promise.all(
      added.map(({ entry }) => leafHash(new TextEncoder().encode(canonicalJson(entry)))),
    );
    for (const { level, index, hashes: grown } of await growTiles(this.#grown, hashes, this.#readTile))
      this.#tiles.set(`${level} ${index}`, grown);
    this.#grown = this.leaves.length;
  }
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../gu) ?? [], (byte) => Number.parseInt(byte, 16));
}
