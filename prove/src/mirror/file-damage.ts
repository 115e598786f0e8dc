import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';

import type { MirrorStore } from '@daybook/client/mirror';
import { verify } from '@daybook/client/mirror';
import { MirrorFileError, setAside } from '@daybook/client/mirror/json-lines';
import { seededRandom } from '@daybook/evidence';

import type { DamageReport } from './damage-rounds.ts';
import { damageRounds, judge, textsOf, updated } from './damage-rounds.ts';

interface DamagedFile {
  readonly path: string;
  readonly open: (path: string) => MirrorStore;
  /** A copy of the file that was made earlier, when the set was another. */
  readonly backup: string | null;
}

type FileDamage = (path: string, random: () => number) => void;

const fileDamages: Readonly<Record<string, FileDamage>> = {
  'a truncated file': (path, random) => {
    truncateSync(path, Math.floor(readFileSync(path).length * random()));
  },
  'a block of zeros': (path, random) => {
    const bytes = readFileSync(path);
    const start = Math.floor(bytes.length * random());
    writeFileSync(path, bytes.fill(0, start, Math.min(bytes.length, start + 512)));
  },
  'a changed byte': (path, random) => {
    const bytes = readFileSync(path);
    const at = Math.floor(bytes.length * random());
    bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(random() * 255));
    writeFileSync(path, bytes);
  },
  'another file': (path) => {
    writeFileSync(path, 'not a mirror\n'.repeat(500));
  },
};

/**
 * Damages the file of an exact copy of a set at rest and lets it be repaired. A byte that belongs to no item needs no
 * repair: the copy must be the set in the end, and said to be exact only then.
 */
async function fileDamageRounds(
  file: DamagedFile,
  address: string,
  rounds: number,
  random: () => number,
): Promise<DamageReport> {
  const report: DamageReport = { rounds: 0, unnoticed: [], unrepaired: [], costly: [] };
  const expected = await read(file, textsOf);
  const names = [...Object.keys(fileDamages), ...(file.backup === null ? [] : ['an old backup'])];
  for (let round = 0; round < rounds; round += 1) {
    const name = names[round % names.length] ?? '';
    if (fileDamages[name] === undefined) copyFileSync(file.backup ?? '', file.path);
    else fileDamages[name](file.path, random);
    const seen = await updateFile(file, address);
    if (seen !== 'set aside' && seen.some(({ kind }) => kind === 'repair'))
      judge(report, name, seen, Infinity);
    const isWhole = await read(file, async (store) => (await verify(store)).ok);
    if (!isWhole || (await read(file, textsOf)) !== expected) report.unrepaired.push(name);
    report.rounds += 1;
  }
  return report;
}

async function updateFile(
  file: DamagedFile,
  address: string,
): Promise<'set aside' | Awaited<ReturnType<typeof updated>>> {
  try {
    return await read(file, (store) => updated(store, address));
  } catch (error) {
    if (!(error instanceof MirrorFileError)) throw error;
    const aside = setAside(file.path);
    await read(file, (store) => updated(store, address));
    for (const part of ['', '-wal', '-shm', '.next']) rmSync(aside + part, { force: true });
    return 'set aside';
  }
}

async function read<T>({ path, open }: DamagedFile, work: (store: MirrorStore) => Promise<T>): Promise<T> {
  const store = open(path);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Damages of the stored items, then of the file as a whole. */
export async function damageFile(
  path: string,
  open: DamagedFile['open'],
  address: string,
  rounds: number,
): Promise<DamageReport> {
  const store = open(path);
  const rows = await damageRounds(store, { address, rounds, seed: 1 });
  await store.close();
  const backup = existsSync(`${path}.backup`) ? `${path}.backup` : null;
  const files = await fileDamageRounds({ path, open, backup }, address, rounds, seededRandom(3));
  return {
    rounds: rows.rounds + files.rounds,
    unnoticed: [...rows.unnoticed, ...files.unnoticed],
    unrepaired: [...rows.unrepaired, ...files.unrepaired],
    costly: [...rows.costly, ...files.costly],
  };
}
