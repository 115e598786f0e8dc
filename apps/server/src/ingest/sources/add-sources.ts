import type { Clock } from '../../foundation/clock.ts';
import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { Publisher } from '../../record/index.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import { describeToReaders } from './describe-to-readers.ts';
import { insertSource } from './source-store.ts';
import type { SourceId, SourceSettings } from './source.ts';

export interface RegistryDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly publisher: Publisher;
}

export interface SourceToAdd extends SourceSettings {
  /** If given, the source starts paused, for this reason. */
  readonly pausedBecause?: string | null;
}

export interface AddedSource {
  readonly name: string;
  readonly feedUrl: string;
  /** Null: another source has this address. */
  readonly id: SourceId | null;
  readonly isPaused: boolean;
}

/** Adds each source in its own transaction. Existing sources stay unchanged. */
export async function addSources(
  deps: RegistryDeps,
  sources: readonly SourceToAdd[],
): Promise<readonly AddedSource[]> {
  const added: AddedSource[] = [];
  for (const source of sources) added.push(await addSource(deps, source));
  return added;
}

async function addSource(deps: RegistryDeps, source: SourceToAdd): Promise<AddedSource> {
  const id: SourceId = deps.ids.next();
  const pausedBecause = source.pausedBecause ?? null;
  const isPaused = pausedBecause !== null;
  const state = isPaused ? 'paused' : 'active';
  const domain = registrableDomain(new URL(source.feedUrl));
  const isNew = await retryConcurrentChanges(deps.database, () =>
    deps.database.transaction().execute(async (transaction) => {
      const createdAt = deps.clock.now();
      const row = { ...source, id, domain, state, stateReason: pausedBecause, createdAt } as const;
      if (!(await insertSource(transaction, row))) return false;
      await describeToReaders(deps.publisher, transaction, row);
      return true;
    }),
  );
  return { name: source.name, feedUrl: source.feedUrl, id: isNew ? id : null, isPaused };
}
