import { createHash } from 'node:crypto';

import type { MirrorItem, MirrorSource, SetCheck } from './mirror-source.ts';

/** The state that a client stores on disk between two runs. */
interface SavedCopy {
  readonly cursor: string | null;
  readonly nextPage: string | null;
  readonly items: readonly MirrorItem[];
}

/** A mirror written from the documentation only, without knowledge of the server's code. */
export class MirrorCopy {
  #cursor: string | null;
  #nextPage: string | null;
  readonly items: Map<string, MirrorItem>;

  constructor(saved: SavedCopy = { cursor: null, nextPage: null, items: [] }) {
    this.#cursor = saved.cursor;
    this.#nextPage = saved.nextPage;
    this.items = new Map(saved.items.map((item) => [item.id, item]));
  }

  static resume(saved: string): MirrorCopy {
    return new MirrorCopy(JSON.parse(saved) as SavedCopy);
  }

  save(): string {
    const saved: SavedCopy = {
      cursor: this.#cursor,
      nextPage: this.#nextPage,
      items: [...this.items.values()],
    };
    return JSON.stringify(saved);
  }

  /** Reads one page. Returns the server's digest of the whole set after the last page. */
  async readPage(source: MirrorSource, random: () => number): Promise<SetCheck | null> {
    if (this.#cursor === null || this.#nextPage !== null) {
      const page = await source.snapshot(1 + Math.floor(random() * 1_000), this.#nextPage);
      for (const item of page.items) this.items.set(item.id, item);
      this.#cursor = page.cursor;
      this.#nextPage = page.nextPage;
      return null;
    }
    const page = await source.changes(1 + Math.floor(random() * 100), this.#cursor);
    for (const change of page.changes) {
      if (change.op === 'upsert') this.items.set(change.item.id, change.item);
      else this.items.delete(change.id);
    }
    this.#cursor = page.cursor;
    return page.hasMore ? null : (page.set ?? null);
  }

  agrees(set: SetCheck): boolean {
    return this.items.size === set.size && setHash(this.items.values()) === set.hash;
  }
}

function setHash(items: Iterable<MirrorItem>): string {
  let sum = 0n;
  for (const item of items) {
    // RFC 8785 of strings and nulls: members in the order of their names, written as JSON.stringify writes them.
    const form = JSON.stringify({
      category: item.category,
      discoveredAt: item.discoveredAt,
      id: item.id,
      links: { original: item.links.original },
      originalTitle: item.originalTitle,
      publishedAt: item.publishedAt,
      source: { name: item.source.name },
      summary: item.summary,
      title: item.title,
    });
    sum += BigInt(`0x${createHash('sha256').update(form).digest('hex')}`);
  }
  return (sum % 2n ** 256n).toString(16).padStart(64, '0');
}
