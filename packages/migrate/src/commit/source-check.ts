import type { QueueHandle } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { StoredFile } from '../queue/source-store.ts';
import { filesOfChunk } from '../queue/source-store.ts';
import { storedPath } from '../sources/source-walk.ts';
import type { ChangedSources } from './approval-question.ts';
import { hashFile } from './file-change.ts';

type SourceState = 'same' | 'edited' | 'deleted';

/** Compares the notes of chunks with what was scanned; each note is read once. */
export class SourceCheck {
  readonly #queue: QueueHandle;
  readonly #states = new Map<number, SourceState>();
  readonly #edited = new Map<string, string[]>();
  readonly #deleted = new Map<string, string[]>();

  constructor(queue: QueueHandle) {
    this.#queue = queue;
  }

  add({ id, source, consent }: QueuedChunk): void {
    if (consent.source === true) return;
    const states = filesOfChunk(this.#queue.database, id).map((file) => this.#stateOf(file));
    if (states.length === 0 || states.includes('same')) return;
    const names = states.includes('edited') ? this.#edited : this.#deleted;
    names.set(source, [...(names.get(source) ?? []), id]);
  }

  /** Null where every note is as it was scanned. */
  changed(): (ChangedSources & { readonly ids: readonly string[] }) | null {
    const ids = [...this.#edited.values(), ...this.#deleted.values()].flat();
    if (ids.length === 0) return null;
    return {
      edited: [...this.#edited.keys()],
      deleted: [...this.#deleted.keys()],
      chunks: ids.length,
      ids,
    };
  }

  #stateOf(file: StoredFile): SourceState {
    const known = this.#states.get(file.id);
    if (known !== undefined) return known;
    const state = stateOf(file);
    this.#states.set(file.id, state);
    return state;
  }
}

/** Pasted text has no file that could change. */
function stateOf({ root, name, hash }: StoredFile): SourceState {
  if (root === '' || hash === null) return 'same';
  try {
    const path = storedPath(root, name);
    if (path === null) return 'deleted';
    return hashFile(path) === hash ? 'same' : 'edited';
  } catch {
    return 'deleted';
  }
}
