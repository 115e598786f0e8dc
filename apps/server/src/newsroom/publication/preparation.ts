import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import type { AliasEntry } from '../stories/matching/aliases.ts';
import type { StoryDeps } from '../stories/place-items.ts';
import type { Preparation } from './prepare-entry.ts';
import { prepareEntry } from './prepare-entry.ts';
import type { EntryToPublish } from './unpublished-entry-store.ts';

/** Returns the preparation of each entry, or the error that it causes. */
export type PrepareEntries = (
  entries: readonly EntryToPublish[],
) => Promise<readonly (Preparation | PreparationError)[]>;

export interface PreparationError {
  readonly error: string;
}

/** Runs in the event loop of the caller, which continues between two entries. */
export function prepareHere(stories: Pick<StoryDeps, 'aliases'>): PrepareEntries {
  return async (entries) => {
    const prepared: (Preparation | PreparationError)[] = [];
    for (const entry of entries) {
      await nextTurn();
      prepared.push(prepareOrError(stories, entry));
    }
    return prepared;
  };
}

export function prepareOrError(
  stories: Pick<StoryDeps, 'aliases'>,
  entry: EntryToPublish,
): Preparation | PreparationError {
  try {
    return prepareEntry(stories, entry);
  } catch (error) {
    return { error: String(error) };
  }
}

/** The start parameters and messages of a preparation thread. */
export interface PreparationSettings {
  readonly names: readonly AliasEntry[];
}

/**
 * Runs in a thread of its own: a long article takes a quarter of a second of processor time, which would block the
 * process. The thread starts with the first entries, and again after it failed.
 */
export function createPreparationThread(settings: PreparationSettings): {
  readonly prepare: PrepareEntries;
  readonly close: () => Promise<void>;
} {
  let thread: Worker | undefined;
  const start = (): Worker => {
    const started = new Worker(new URL('./preparation-thread.ts', import.meta.url), { workerData: settings });
    started.unref();
    started.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  };
  return {
    prepare: (entries) => {
      thread ??= start();
      return askThread(thread, entries);
    },
    close: async () => void (await thread?.terminate()),
  };
}

/** One batch at a time. */
function askThread(thread: Worker, entries: readonly EntryToPublish[]): ReturnType<PrepareEntries> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<PrepareEntries>>>();
  const onExit = (): void => reject(new Error('the preparation thread ended'));
  thread.once('message', resolve).once('error', reject).once('exit', onExit);
  thread.postMessage(entries);
  return promise.finally(() => {
    thread.off('message', resolve).off('error', reject).off('exit', onExit);
  });
}
