import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { Decisions, Publisher } from '../../record/index.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import { describeBy } from './describe-to-readers.ts';
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
  const isNew = await retryConcurrentChanges(deps.database, () =>
    deps.database
      .transaction()
      .execute((transaction) =>
        deps.publisher.within(transaction, (decisions) =>
          addSourceWithin(deps, transaction, decisions, { ...source, id }),
        ),
      ),
  );
  const isPaused = (source.pausedBecause ?? null) !== null;
  return { name: source.name, feedUrl: source.feedUrl, id: isNew ? id : null, isPaused };
}

/** In the transaction of a decision. False: another source has this address. */
export async function addSourceWithin(
  { clock }: Pick<RegistryDeps, 'clock'>,
  transaction: Transaction<DB>,
  decisions: Decisions,
  source: SourceToAdd & { readonly id: SourceId },
): Promise<boolean> {
  const pausedBecause = source.pausedBecause ?? null;
  const row = {
    ...source,
    domain: registrableDomain(new URL(source.feedUrl)),
    state: pausedBecause === null ? ('active' as const) : ('paused' as const),
    stateReason: pausedBecause,
    createdAt: clock.now(),
  };
  if (!(await insertSource(transaction, row))) return false;
  await describeBy(decisions, row);
  return true;
}
