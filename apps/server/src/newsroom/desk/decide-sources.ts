import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Source, SourceDesk, SourceSettings } from '../../ingest/index.ts';
import { corrections } from '../../record/index.ts';
import type { Decide, DecisionRequest, FormState, InspectedState } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import { lockSource, readSourceState } from './source-state-store.ts';

interface SourceRequest extends FormState {
  readonly id: Source['id'];
  /** For editors. */
  readonly reason: string;
}

/** Decisions of editors about sources, in the transaction of their entry in the journal. */
export function sourceDecisions(sources: Pick<SourceDesk, 'within'>, decide: Decide) {
  return {
    pauseSource: changeStateBy(sources, decide, 'pause'),
    resumeSource: changeStateBy(sources, decide, 'resume'),
    changeTier: changeTierBy(sources, decide),
    changeHolds: changeHoldsBy(sources, decide),
    changeOwner: changeOwnerBy(sources, decide),
    addSource: addBy(sources, decide),
  };
}

function about(action: DecisionRequest['action'], { id, ...form }: SourceRequest): DecisionRequest {
  return {
    action,
    subject: { kind: 'source', id },
    permission: action === 'add-source' ? deskActions.sources.create : deskActions.sources.update,
    ...form,
    inspect: inspectSource(id),
  };
}

function inspectSource(id: Source['id']) {
  return async (transaction: Transaction<DB>): Promise<InspectedState | null> => {
    await lockSource(transaction, id);
    const state = await readSourceState(transaction, id);
    return state === null ? null : { state, itemIds: [] };
  };
}

function changeStateBy(sources: Pick<SourceDesk, 'within'>, decide: Decide, action: 'pause' | 'resume') {
  const state = action === 'pause' ? 'paused' : 'active';
  return (request: SourceRequest) =>
    decide(about(action, request), async (transaction, decisions) => {
      const { id, reason } = request;
      if (!corrections.isReason(reason)) return refused('invalid_reason');
      const before = await readSourceState(transaction, id);
      if (before === null) return refused('unknown_source');
      if (before.state === state) return refused('nothing_changed');
      await sources.within(transaction, decisions).changeState(id, state, reason);
      return accepted({ value: state, detail: { was: before.state } });
    });
}

function changeTierBy(sources: Pick<SourceDesk, 'within'>, decide: Decide) {
  return ({ tier, ...request }: SourceRequest & { readonly tier: Source['tier'] }) =>
    decide(about('change-tier', request), async (transaction, decisions) => {
      const { id, reason } = request;
      if (!corrections.isReason(reason)) return refused('invalid_reason');
      const before = await readSourceState(transaction, id);
      if (before === null) return refused('unknown_source');
      if (before.tier === tier) return refused('nothing_changed');
      await sources.within(transaction, decisions).changeSettings(id, { tier });
      return accepted({ value: tier, detail: { was: before.tier, tier } });
    });
}

/** Entries that wait already stay held until an editor releases them. */
function changeHoldsBy(sources: Pick<SourceDesk, 'within'>, decide: Decide) {
  return ({ holds, ...request }: SourceRequest & Pick<Source, 'holds'>) =>
    decide(about('change-holds', request), async (transaction, decisions) => {
      const { id, reason } = request;
      if (!corrections.isReason(reason)) return refused('invalid_reason');
      const before = await readSourceState(transaction, id);
      if (before === null) return refused('unknown_source');
      if (before.holds === holds) return refused('nothing_changed');
      await sources.within(transaction, decisions).changeSettings(id, { holds });
      return accepted({ value: holds, detail: { was: before.holds, holds } });
    });
}

/** Which sources count as one. The names are words: the entry stores them with its states. */
function changeOwnerBy(sources: Pick<SourceDesk, 'within'>, decide: Decide) {
  return ({ owner, syndicate, ...request }: SourceRequest & Pick<Source, 'owner' | 'syndicate'>) =>
    decide(about('change-owner', request), async (transaction, decisions) => {
      const { id, reason } = request;
      if (!corrections.isReason(reason)) return refused('invalid_reason');
      if (owner === '') return refused('owner_needed');
      const before = await readSourceState(transaction, id);
      if (before === null) return refused('unknown_source');
      if (before.owner === owner && before.syndicate === syndicate) return refused('nothing_changed');
      await sources.within(transaction, decisions).changeOwner(id, { owner, syndicate });
      return accepted({ value: owner, detail: {} });
    });
}

/** The worker polls it at once. */
function addBy(sources: Pick<SourceDesk, 'within'>, decide: Decide) {
  return ({ settings, ...request }: SourceRequest & { readonly settings: SourceSettings }) =>
    decide(about('add-source', request), async (transaction, decisions) => {
      const { id, reason } = request;
      if (!corrections.isReason(reason)) return refused('invalid_reason');
      const isNew = await sources.within(transaction, decisions).add({ ...settings, id });
      return isNew
        ? accepted({ value: { id }, detail: { tier: settings.tier, holds: settings.holds } })
        : refused('known_source');
    });
}
