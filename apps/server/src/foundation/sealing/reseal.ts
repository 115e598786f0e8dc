import type { Database } from '../database/database.ts';
import type { SecretBox } from '../secret-box.ts';
import { createSecretBox, secretKeyId } from '../secret-box.ts';
import type { SealedColumn, SealedRow } from './sealed-column-store.ts';
import { countByKey, readSealedRows, replaceSealed } from './sealed-column-store.ts';

export interface ResealDeps {
  readonly database: Database;
  /** The first key seals; the others are to be retired. */
  readonly secretKeys: readonly string[];
  readonly batchRows?: number;
  readonly onBatch?: (column: SealedColumn, resealed: number) => void;
}

export interface ResealResult {
  readonly contents: string;
  readonly resealed: number;
  /** Values of the first key, each opened with this key alone. */
  readonly verified: number;
  /** Values of the other configured keys, after the run. */
  readonly remaining: number;
  /** Values that no configured key opens, by the ids of their rows. */
  readonly unreadable: readonly string[];
}

const batchRowsDefault = 500;

/**
 * Seals every value of the column again with the first key, in batches of one transaction each. A value with the first
 * key is never read again, so a run that was interrupted continues where it ended. Values that change at the same time
 * are read again until none of the retired keys is left.
 */
export async function resealColumn(deps: ResealDeps, column: SealedColumn): Promise<ResealResult> {
  const [first = '', ...retired] = deps.secretKeys;
  const box = createSecretBox(deps.secretKeys);
  const firstBox = createSecretBox([first]);
  const unreadable = new Set<string>();
  let resealed = 0;
  for (let changed = -1; changed !== 0; resealed += changed) {
    changed = 0;
    for await (const rows of sealedRows(deps, column, retired.map(secretKeyId))) {
      changed += await resealBatch(deps.database, column, { box, firstBox, rows, unreadable });
      deps.onBatch?.(column, resealed + changed);
    }
  }
  const verified = await verifyColumn(deps, column, firstBox, unreadable);
  for (const id of await foreignIds(deps, column)) unreadable.add(id);
  const counts = await countByKey(deps.database, column);
  const remaining = retired.reduce((sum, key) => sum + (counts.get(secretKeyId(key)) ?? 0), 0);
  return { contents: column.contents, resealed, verified, remaining, unreadable: [...unreadable] };
}

interface Batch {
  readonly box: SecretBox;
  readonly firstBox: SecretBox;
  readonly rows: readonly SealedRow[];
  readonly unreadable: Set<string>;
}

async function resealBatch(
  database: Database,
  column: SealedColumn,
  { box, firstBox, rows, unreadable }: Batch,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    let changed = 0;
    for (const row of rows) {
      const plain = openRow(box, column, row);
      if (plain === null) {
        unreadable.add(row.id);
        continue;
      }
      const purpose = column.purposeOf(row.purposeValue);
      const sealed = box.seal(plain, purpose);
      if (!firstBox.open(sealed, purpose).equals(plain)) throw new Error('a value did not survive sealing');
      if (await replaceSealed(transaction, column, row, sealed)) changed += 1;
    }
    return changed;
  });
}

/** Null: damaged, or sealed for another purpose. */
function openRow(box: SecretBox, column: SealedColumn, { sealed, purposeValue }: SealedRow): Buffer | null {
  try {
    return box.open(sealed, column.purposeOf(purposeValue));
  } catch {
    return null;
  }
}

async function verifyColumn(
  deps: ResealDeps,
  column: SealedColumn,
  firstBox: SecretBox,
  unreadable: Set<string>,
): Promise<number> {
  let verified = 0;
  for await (const rows of sealedRows(deps, column, deps.secretKeys.slice(0, 1).map(secretKeyId)))
    for (const row of rows) {
      if (openRow(firstBox, column, row) === null) unreadable.add(row.id);
      else verified += 1;
    }
  return verified;
}

/** The rows whose key is not configured. */
async function foreignIds(deps: ResealDeps, column: SealedColumn): Promise<readonly string[]> {
  const known = new Set(deps.secretKeys.map(secretKeyId));
  const foreign = [...(await countByKey(deps.database, column)).keys()].filter((id) => !known.has(id));
  const ids: string[] = [];
  for await (const rows of sealedRows(deps, column, foreign)) ids.push(...rows.map(({ id }) => id));
  return ids;
}

/** In pages, by the ids of the rows. */
async function* sealedRows(
  { database, batchRows = batchRowsDefault }: ResealDeps,
  column: SealedColumn,
  keyIds: readonly string[],
): AsyncGenerator<readonly SealedRow[]> {
  for (let after = ''; keyIds.length > 0;) {
    const rows = await readSealedRows(database, column, { keyIds, after, rowsMax: batchRows });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}

/** What a key protects. */
export interface KeyUse {
  readonly keyId: string;
  /** `sealing`: the first key; `opening`: another configured key; `unknown`: not configured. */
  readonly state: 'sealing' | 'opening' | 'unknown';
  readonly values: readonly { readonly contents: string; readonly count: number }[];
}

/** Every configured key, and every key that a stored value names. */
export async function readKeyUse(
  database: Database,
  secretKeys: readonly string[],
  columns: readonly SealedColumn[],
): Promise<readonly KeyUse[]> {
  const counts = await Promise.all(
    columns.map(async (column) => ({ ...column, byKey: await countByKey(database, column) })),
  );
  const configured = secretKeys.map(secretKeyId);
  const ids = new Set([...configured, ...counts.flatMap(({ byKey }) => [...byKey.keys()])]);
  const stateOf = (keyId: string): KeyUse['state'] => {
    if (keyId === configured[0]) return 'sealing';
    return configured.includes(keyId) ? 'opening' : 'unknown';
  };
  return [...ids].map((keyId) => ({
    keyId,
    state: stateOf(keyId),
    values: counts.map(({ contents, byKey }) => ({ contents, count: byKey.get(keyId) ?? 0 })),
  }));
}
