import type { Id } from '../../foundation/ids.ts';
import type { StoredReport } from './matching/stored-report.ts';

/** About 8 KB each. */
const reportsMax = 4_000;

/**
 * Reports of the index that were compared last, as they were read. A report of the index never changes, so a copy is
 * as good as the row; the one that was not used for the longest time leaves first.
 */
export class ReportCache {
  readonly #reports = new Map<Id<'item'>, StoredReport>();

  get(itemId: Id<'item'>): StoredReport | undefined {
    const stored = this.#reports.get(itemId);
    if (stored !== undefined) {
      this.#reports.delete(itemId);
      this.#reports.set(itemId, stored);
    }
    return stored;
  }

  add(itemId: Id<'item'>, stored: StoredReport): void {
    this.#reports.set(itemId, stored);
    if (this.#reports.size <= reportsMax) return;
    const [oldest] = this.#reports.keys();
    if (oldest !== undefined) this.#reports.delete(oldest);
  }
}
