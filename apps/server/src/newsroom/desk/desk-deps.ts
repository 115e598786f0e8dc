import type { IdSource } from '../../foundation/ids.ts';
import type { StrictLimiter } from '../../foundation/limits/strict-limiter.ts';
import type { SourceDesk } from '../../ingest/index.ts';
import type { DeskEvents } from './desk-events.ts';
import type { EditorDeskDeps } from './editor-desk.ts';

/** The parts of the desk's pages. */
export interface DeskDeps extends Omit<EditorDeskDeps, 'decider' | 'sources'> {
  readonly sources: SourceDesk;
  /** The key of the organization that owns the newsroom. */
  readonly organization: string;
  readonly ids: IdSource;
  /** Of requests to publishers, per person. */
  readonly fetchLimiter: StrictLimiter;
  /** For the pages that are open in this process. */
  readonly events: DeskEvents;
}

/** Each request waits for its turn at the publisher. */
export const fetchLimit = { name: 'desk-fetch', admittedMax: 30, windowMs: 10 * 60_000 };
