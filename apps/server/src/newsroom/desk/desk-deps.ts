import type { IdSource } from '../../foundation/ids.ts';
import type { SourceDesk } from '../../ingest/index.ts';
import type { EditorDeskDeps } from './editor-desk.ts';

/** The parts of the desk's pages. */
export interface DeskDeps extends Omit<EditorDeskDeps, 'decider' | 'sources'> {
  readonly sources: SourceDesk;
  /** The key of the organization that owns the newsroom. */
  readonly organization: string;
  readonly ids: IdSource;
}
