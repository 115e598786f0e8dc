import type { MirrorStore } from '@daybook/client/mirror';
import { memoryStore } from '@daybook/client/mirror';
import { jsonLinesStore } from '@daybook/client/mirror/json-lines';
import { sqliteStore } from '@daybook/client/mirror/sqlite';

import type { LifeLine } from '../mirror/follow-and-report.ts';
import { followAndReport, lineOf } from '../mirror/follow-and-report.ts';
import type { ProcessDemand } from '../mirror/mirror-life.ts';

// A mirror in a process of its own.
const demand = JSON.parse(process.argv[2] ?? '') as ProcessDemand;
const store = open();
await followAndReport(demand, { store, openReader, isFull }, (line: LifeLine) => {
  process.stdout.write(`${lineOf(line)}\n`);
  return Promise.resolve();
});

function open(): MirrorStore {
  if (demand.store === 'memory') return memoryStore();
  return demand.store === 'sqlite' ? sqliteStore(demand.path) : jsonLinesStore(demand.path);
}

function openReader(): MirrorStore {
  return demand.store === 'memory' ? store : open();
}

/** ENOSPC of files; SQLITE_FULL or a write error of SQLite. */
function isFull(error: unknown): boolean {
  const { code, errcode = 0 } = error as { readonly code?: string; readonly errcode?: number };
  return code === 'ENOSPC' || (code === 'ERR_SQLITE_ERROR' && [10, 13].includes(errcode % 256));
}
