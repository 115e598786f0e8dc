import { open, readFile } from 'node:fs/promises';

import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { parseId } from '../../foundation/ids.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds, parseIsoDatetime } from '../../foundation/instant.ts';
import type { EntryKey } from '../../ingest/wiring.ts';
import { readEntryKeys } from '../../ingest/wiring.ts';
import { corrections } from '../../record/index.ts';
import { readWithdrawals } from '../../record/wiring.ts';

/** A line of the file: what a restored database must withdraw again. It contains no word of the item. */
export interface JournaledWithdrawal {
  readonly id: string;
  readonly at: string;
  readonly itemId: Id<'item'>;
  readonly reason: string;
  /** What the lists of its sources name it by, so that a later poll does not publish it again. */
  readonly keys: readonly EntryKey[];
}

/** Transactions that began earlier may commit later. */
const overlapMs = dayMs;
const keyForm = /^[0-9a-f]{64}$/;
const sourceIdForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Appends the withdrawals that the file does not contain yet, durably. Returns how many were added, and the total. */
export async function exportWithdrawals(
  database: Database,
  path: string,
): Promise<{ readonly added: number; readonly total: number }> {
  const file = await open(path, 'a+', 0o600);
  try {
    const text = await file.readFile('utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // The end of a line that an interrupted run did not write completely.
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
    const known = parseJournal(whole);
    const ids = new Set(known.map(({ id }) => id));
    const found = await readWithdrawals(database, startOf(known));
    const fresh = found.filter(({ id }) => !ids.has(id));
    const keys = await readEntryKeys(
      database,
      fresh.map(({ itemId }) => itemId),
    );
    const lines = fresh.map(({ id, at, itemId, reason }) =>
      JSON.stringify({ id, at: isoMicroseconds(at), itemId, reason, keys: keys.get(itemId) ?? [] }),
    );
    if (lines.length > 0) {
      await file.appendFile(`${lines.join('\n')}\n`);
      await file.sync();
    }
    return { added: fresh.length, total: known.length + fresh.length };
  } finally {
    await file.close();
  }
}

function startOf(known: readonly JournaledWithdrawal[]): EpochMicroseconds {
  const last = known.reduce((latest, { at }) => (at > latest ? at : latest), '1970-01-03T00:00:00Z');
  const parsed = parseIsoDatetime(last);
  if (!parsed.ok) throw new Error(`${last} is not a time`);
  return addMs(parsed.value, -overlapMs);
}

export async function readJournal(path: string): Promise<readonly JournaledWithdrawal[]> {
  const text = await readFile(path, 'utf8');
  return parseJournal(text.slice(0, text.lastIndexOf('\n') + 1));
}

function parseJournal(text: string): readonly JournaledWithdrawal[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const parsed = parseLine(line);
      if (parsed === null) throw new Error(`line ${index + 1} of the withdrawals is damaged`);
      return parsed;
    });
}

/** Null: not a line that `exportWithdrawals` wrote. */
function parseLine(line: string): JournaledWithdrawal | null {
  let value: Partial<Record<keyof JournaledWithdrawal, unknown>>;
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    return null;
  }
  const { id, at, itemId, reason, keys } = value;
  const item = parseId<'item'>(String(itemId));
  if (typeof id !== 'string' || typeof at !== 'string' || !parseIsoDatetime(at).ok || !item.ok) return null;
  if (typeof reason !== 'string' || !corrections.isReason(reason)) return null;
  if (!Array.isArray(keys) || !keys.every(isEntryKey)) return null;
  return { id, at, itemId: item.value, reason, keys };
}

function isEntryKey(value: unknown): value is EntryKey {
  if (typeof value !== 'object' || value === null) return false;
  const { sourceId, key } = value as Partial<Record<keyof EntryKey, unknown>>;
  return (
    typeof sourceId === 'string' &&
    sourceIdForm.test(sourceId) &&
    typeof key === 'string' &&
    keyForm.test(key)
  );
}
