import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rename, rm } from 'node:fs/promises';

import type { Clock } from '../../foundation/clock.ts';
import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds, parseIsoDatetime } from '../../foundation/instant.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import { readRevocations } from './read-revocations.ts';
import type { Revocation } from './revocation.ts';
import { parseRevocation } from './revocation.ts';

/** Transactions that began earlier may commit later. */
const overlapMs = dayMs;
const ownerOnly = 0o600;
/** No older backup is restored. */
const keepMs = 400 * dayMs;
/** The file is written again when it contains lines that are older than `keepMs` by this. */
const trimMs = 30 * dayMs;

export interface Exported {
  readonly added: number;
  readonly total: number;
}

export interface ExportDeps {
  readonly database: Database;
  /** Null without accounts. */
  readonly secretBox: SecretBox | null;
  readonly clock: Clock;
}

/** Appends the revocations that the file does not contain yet, durably. */
export async function exportRevocations(
  { database, secretBox, clock }: ExportDeps,
  path: string,
): Promise<Exported> {
  await trim(path, clock.now());
  const file = await open(path, 'a+', ownerOnly);
  try {
    return await appendNew(file, clock.now(), (since) => readRevocations(database, secretBox, since));
  } finally {
    await file.close();
  }
}

/** A crash leaves the file as it was. */
async function trim(path: string, now: EpochMicroseconds): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const isOlderThan = (line: string, ms: number): boolean => {
    const at = parseRevocation(line)?.at;
    return at !== undefined && at < isoMicroseconds(addMs(now, -ms));
  };
  if (!lines.some((line) => isOlderThan(line, keepMs + trimMs))) return;
  const written = `${path}.new`;
  await rm(written, { force: true });
  const file = await open(written, 'wx', ownerOnly);
  await file.writeFile(
    lines
      .filter((line) => !isOlderThan(line, keepMs))
      .map((line) => `${line}\n`)
      .join(''),
  );
  await file.sync();
  await file.close();
  await rename(written, path);
}

async function appendNew(
  file: FileHandle,
  now: EpochMicroseconds,
  read: (since: EpochMicroseconds) => Promise<readonly Revocation[]>,
): Promise<Exported> {
  const text = await file.readFile('utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  // The end of a line that an interrupted run did not write completely.
  if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
  const known = parseLines(whole);
  const ids = new Set(known.map(({ id }) => id));
  const fresh = (await read(startOf(known, now))).filter(({ id }) => !ids.has(id));
  if (fresh.length > 0) {
    await file.appendFile(`${fresh.map((one) => JSON.stringify(one)).join('\n')}\n`);
    await file.sync();
  }
  return { added: fresh.length, total: known.length + fresh.length };
}

function startOf(known: readonly Revocation[], now: EpochMicroseconds): EpochMicroseconds {
  const oldest = addMs(now, -keepMs);
  const last = known.reduce((latest, { at }) => (at > latest ? at : latest), isoMicroseconds(oldest));
  const parsed = parseIsoDatetime(last);
  if (!parsed.ok) throw new Error(`${last} is not a time`);
  return addMs(parsed.value, -overlapMs);
}

export async function readRevocationFile(path: string): Promise<readonly Revocation[]> {
  const text = await readFile(path, 'utf8');
  return parseLines(text.slice(0, text.lastIndexOf('\n') + 1));
}

function parseLines(text: string): readonly Revocation[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const parsed = parseRevocation(line);
      if (parsed === null) throw new Error(`line ${index + 1} of the revocations is damaged`);
      return parsed;
    });
}
