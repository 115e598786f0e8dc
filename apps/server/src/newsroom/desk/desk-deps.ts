import type { IdSource } from '../../foundation/ids.ts';
import type { EditorDeskDeps } from './editor-desk.ts';

/** The parts of the desk's pages. */
export interface DeskDeps extends Omit<EditorDeskDeps, 'decider'> {
  /** The key of the organization that owns the newsroom. */
  readonly organization: string;
  readonly ids: IdSource;
}
