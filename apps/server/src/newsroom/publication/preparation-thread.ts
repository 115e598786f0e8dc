import { parentPort, workerData } from 'node:worker_threads';

import { aliasTable } from '../stories/matching/aliases.ts';
import type { PreparationSettings } from './preparation.ts';
import { prepareOrError } from './preparation.ts';
import type { EntryToPublish } from './unpublished-entry-store.ts';

// Started by `createPreparationThread`: answers every batch of entries with their preparations.
const { names } = workerData as PreparationSettings;
const stories = { aliases: aliasTable(names) };

parentPort?.on('message', (entries: readonly EntryToPublish[]) => {
  parentPort?.postMessage(entries.map((entry) => prepareOrError(stories, entry)));
});
