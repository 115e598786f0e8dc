import { isConsistent, leafHash, parseVerifierKey, TileTree, verifyCheckpoint } from '@daybook/client/log';
import type { VerifiedCheckpoint, VerifierKey } from '@daybook/client/log';
import type { RecordProof } from '@daybook/client/log/proof';
import { verifyProof } from '@daybook/client/log/proof';
import type { SuiteContext } from '@daybook/evidence';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { sha256Bytes } from '../../../apps/server/src/foundation/hash.ts';
import { tilesOf } from '../../../apps/server/src/record/log/tile-store.ts';
import { readLogLeaves } from '../../../apps/server/src/record/reading/log-reading-store.ts';
import { readProof } from '../../../apps/server/src/record/reading/read-proof.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import type { LogEvidence } from './independent-verifier.ts';
import { verifyIndependently } from './independent-verifier.ts';

export interface CollectedLog {
  readonly checkpoints: readonly string[];
  readonly verifierKeys: readonly string[];
}

type Consistency = LogEvidence['consistencies'][number];
type Inclusion = LogEvidence['inclusions'][number];

/** Verifies as a reader does, with the login of the news reader. */
export async function checkProofs(
  context: SuiteContext,
  engine: EngineStage,
  { checkpoints, verifierKeys }: CollectedLog,
): Promise<void> {
  const { database, close } = connectDatabase({
    url: engine.newsReaderUrl,
    name: 'prove log reader',
    connectionsMax: 4,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
  });
  try {
    const logKeys = (await Promise.all(verifierKeys.map(parseVerifierKey))) as VerifierKey[];
    const signed = await checkCheckpoints(context, database, checkpoints, logKeys);
    const consistencies = await checkConsistency(context, database, signed);
    const inclusions = await checkItems(context, engine, database, logKeys);
    const [key = ''] = verifierKeys;
    reportIndependent(context, { key, checkpoints, inclusions, consistencies });
  } finally {
    await close();
  }
}

async function checkCheckpoints(
  { figure }: SuiteContext,
  database: Database,
  notes: readonly string[],
  logKeys: readonly VerifierKey[],
): Promise<readonly VerifiedCheckpoint[]> {
  const verified = await Promise.all(notes.map((note) => verifyCheckpoint(note, { logKeys })));
  const signed = verified.filter((one) => one !== null).sort((a, b) => a.checkpoint.size - b.checkpoint.size);
  const last = signed.at(-1)?.checkpoint.size ?? 0;
  const hashes = await readLeafHashes(database, last);
  const wrong = signed.filter(
    ({ checkpoint: { size, root } }) => !rootByDefinition(hashes.slice(0, size)).equals(root),
  ).length;
  figure({ name: 'checkpoints read', value: notes.length, unit: 'checkpoints', goal: { atLeast: 3 } });
  figure({
    name: 'checkpoints without a valid signature, or with another root than RFC 9162 defines',
    value: notes.length - signed.length + wrong,
    unit: 'checkpoints',
    goal: { exactly: 0 },
  });
  return signed;
}

const bundleWidth = 256;

async function readLeafHashes(database: Database, size: number): Promise<readonly Buffer[]> {
  const hashes: Buffer[] = [];
  for (let index = 0; index * bundleWidth < size; index += 1) {
    const width = Math.min(bundleWidth, size - index * bundleWidth);
    for (const leaf of await readLogLeaves(database, { index, width }))
      hashes.push(Buffer.from(await leafHash(leaf)));
  }
  return hashes;
}

/** Section 2.1.1, as it is written. */
function rootByDefinition(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (only === undefined) return sha256Bytes('');
  if (hashes.length === 1) return only;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  const children = [rootByDefinition(hashes.slice(0, split)), rootByDefinition(hashes.slice(split))];
  return sha256Bytes(Buffer.concat([Buffer.of(1), ...children]));
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function checkConsistency(
  { figure }: SuiteContext,
  database: Database,
  signed: readonly VerifiedCheckpoint[],
): Promise<readonly Consistency[]> {
  const tree = new TileTree(signed.at(-1)?.checkpoint.size ?? 0, tilesOf(database));
  const pairs: Consistency[] = [];
  let wrong = 0;
  for (const [at, { checkpoint: second }] of signed.entries())
    for (const { checkpoint: first } of signed.slice(0, at)) {
      const proof = await tree.consistencyProof(first.size, second.size);
      if (!(await isConsistent(first, second, proof))) wrong += 1;
      pairs.push({
        first: first.size,
        firstRoot: base64(first.root),
        second: second.size,
        secondRoot: base64(second.root),
        proof: proof.map(base64),
      });
    }
  figure({ name: 'pairs of checkpoints', value: pairs.length, unit: 'pairs' });
  figure({ name: 'pairs that are not consistent', value: wrong, unit: 'pairs', goal: { exactly: 0 } });
  return pairs;
}

async function checkItems(
  { figure, quick }: SuiteContext,
  { query }: EngineStage,
  database: Database,
  logKeys: readonly VerifierKey[],
): Promise<readonly Inclusion[]> {
  const items = await query<{ id: string; withdrawn: boolean; salted: boolean }>(
    `SELECT id::text, withdrawn_at IS NOT NULL AS withdrawn, EXISTS (
       SELECT FROM record.log_content WHERE kind = 'item' AND subject = item.id::text AND salt IS NOT NULL) AS salted
     FROM record.item ORDER BY id ${quick ? '' : 'LIMIT 20000'}`,
  );
  const inclusions: Inclusion[] = [];
  let wrong = 0;
  for (const { id, withdrawn } of items) {
    const outcome = await readProof(database, 'item', id);
    const proof = outcome.state === 'proven' ? (outcome.proof as RecordProof) : null;
    const verified =
      proof === null ? null : await verifyProof(proof, { logKeys, subject: { kind: 'item', id } });
    if (proof === null || verified?.ok !== true || (proof.salt === null) !== withdrawn) wrong += 1;
    else inclusions.push(await inclusionOf(proof, verified.signed, database));
  }
  figure({ name: 'items verified', value: items.length, unit: 'items' });
  figure({ name: 'items whose proof is wrong', value: wrong, unit: 'items', goal: { exactly: 0 } });
  const withSalt = items.filter((item) => item.withdrawn && item.salted).length;
  figure({ name: 'withdrawn items with a salt', value: withSalt, unit: 'items', goal: { exactly: 0 } });
  return inclusions;
}

async function inclusionOf(
  { leafIndex: index, inclusion }: RecordProof,
  { checkpoint: { size, root } }: VerifiedCheckpoint,
  database: Database,
): Promise<Inclusion> {
  const at = { index: Math.floor(index / bundleWidth), width: bundleWidth };
  const leaf = (await readLogLeaves(database, at))[index % bundleWidth] ?? Buffer.alloc(0);
  return { size, index, root: base64(root), leaf: base64(leaf), proof: inclusion };
}

function reportIndependent({ figure, note, root }: SuiteContext, evidence: LogEvidence): void {
  const wrong = verifyIndependently(root, evidence);
  if (wrong === null) {
    note('Not verified by golang.org/x/mod/sumdb: install golang-go and golang-golang-x-mod-dev.');
    return;
  }
  const { checkpoints, inclusions, consistencies } = evidence;
  const count = checkpoints.length + inclusions.length + consistencies.length;
  figure({ name: 'checkpoints and proofs verified by golang.org/x/mod/sumdb', value: count, unit: 'proofs' });
  figure({ name: 'of these refused by it', value: wrong, unit: 'proofs', goal: { exactly: 0 } });
}
