import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import { setWantedHub } from '../wire/hubs/hub-subscription-store.ts';
import type { RegistryDeps } from './add-sources.ts';
import { describeToReaders } from './describe-to-readers.ts';
import { readSource, updateSourceState } from './source-store.ts';
import type { SourceId, SourceState } from './source.ts';

/** A person pauses, resumes or removes a source. Resuming asks at once; removing frees its address and keeps its entries. */
export async function changeSourceState(
  deps: RegistryDeps,
  id: SourceId,
  state: Extract<SourceState, 'active' | 'paused' | 'removed'>,
  reason: string | null = null,
): Promise<void> {
  await retryConcurrentChanges(deps.database, () =>
    deps.database.transaction().execute(async (transaction) => {
      const source = await readSource(transaction, id);
      if (source === null || source.state === 'removed') return;
      const now = deps.clock.now();
      await updateSourceState(transaction, source, { state, reason, now });
      const hub = state === 'active' ? source.hub : null;
      await setWantedHub(transaction, id, hub, { id: deps.ids.next(), now });
      await describeToReaders(deps.publisher, transaction, { ...source, state });
    }),
  );
}
