import { parseVerifierKey, TileTree, verifyCheckpoint } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import type { ForkEvidence } from '@daybook/client/log/fork';
import { compareCheckpoints, verifyForkEvidence } from '@daybook/client/log/fork';
import type { RecordProof } from '@daybook/client/log/proof';
import { verifyProof } from '@daybook/client/log/proof';
import type { LogServer } from '@daybook/client/log/view';
import { httpLog, visitLog } from '@daybook/client/log/view';
import { createWitness, writeWitnessRequest } from '@daybook/client/log/witness';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { readProof } from '../../../apps/server/src/record/reading/read-proof.ts';

/** A party that can notice a dishonest change, by what it has to have saved before. */
export const parties = [
  'reader of the content',
  'reader of the log',
  'reader with one proof',
  'mirror with earlier checkpoints',
  'witness',
] as const;
export type Party = (typeof parties)[number];

/** What the parties saved before the change. Each can hand its own over to others, as JSON. */
export interface Saved {
  /** The key of the log, from a place that the operator does not control. */
  readonly keys: readonly string[];
  readonly proof: RecordProof;
  /** The newest checkpoint of the mirror and of the witness. */
  readonly checkpoint: string;
  readonly subjects: readonly { readonly kind: Parameters<typeof readProof>[1]; readonly id: string }[];
}

export interface Finding {
  readonly party: Party;
  readonly what: string;
  /** Two signed checkpoints that contradict each other; null: others repeat the check with what the party saved. */
  readonly evidence: ForkEvidence | null;
}

interface Surroundings {
  readonly server: LogServer;
  readonly database: Database;
}

export async function findFaults(saved: Saved, around: Surroundings): Promise<readonly Finding[]> {
  const checks: Readonly<Record<Party, () => Promise<Omit<Finding, 'party'> | null>>> = {
    'reader of the content': () => readContent(saved, around.database),
    'reader of the log': () => readLog(saved, around.server),
    'reader with one proof': () => compareView(saved, saved.proof.checkpoint, around.server),
    'mirror with earlier checkpoints': () => compareView(saved, saved.checkpoint, around.server),
    witness: () => cosign(saved, around.server),
  };
  const found: Finding[] = [];
  for (const party of parties) {
    const finding = await checks[party]().catch((error: unknown) => ({
      what: String(error),
      evidence: null,
    }));
    if (finding !== null) found.push({ party, ...finding });
  }
  return found;
}

/** Needs nothing but the key. */
async function readContent({ subjects, keys }: Saved, database: Database) {
  const logKeys = await keysOf(keys);
  for (const { kind, id } of subjects) {
    const outcome = await readProof(database, kind, id);
    if (outcome.state !== 'proven') return { what: `${kind} has no proof: ${outcome.state}`, evidence: null };
    const proof = outcome.proof as RecordProof;
    const verified = await verifyProof(proof, { logKeys, subject: { kind, id } });
    if (!verified.ok) return { what: `${kind}: ${verified.fault}`, evidence: null };
    if (verified.content === 'erased') return { what: `${kind} was erased without an entry`, evidence: null };
  }
  return null;
}

const bundleWidth = 256;

/** Compares every entry with the tree of the newest checkpoint. */
async function readLog({ keys }: Saved, server: LogServer) {
  const seen = await visitLog(server, { view: null, keys });
  if (seen.outcome === 'fault') return { what: seen.fault, evidence: null };
  if (seen.outcome === 'fork') return { what: 'fork', evidence: seen.evidence };
  for (let bundle = 0; bundle * bundleWidth < seen.tree.size; bundle += 1)
    try {
      await seen.tree.entries(bundle, seen.source.bundle);
    } catch (error) {
      return { what: String(error), evidence: null };
    }
  return null;
}

async function compareView({ keys }: Saved, checkpoint: string, server: LogServer) {
  const seen = await visitLog(server, { view: { keys, checkpoint } });
  if (seen.outcome === 'current') return null;
  if (seen.outcome === 'fork') return { what: 'fork', evidence: seen.evidence };
  return { what: seen.fault, evidence: null };
}

/** The log asks the witness to cosign its newest checkpoint, with a proof made of its own tiles. */
async function cosign({ keys, checkpoint }: Saved, server: LogServer) {
  const logKeys = await keysOf(keys);
  const known = await verifyCheckpoint(checkpoint, { logKeys });
  const note = await httpLog(server).checkpoint();
  const asked = await verifyCheckpoint(note, { logKeys });
  if (known === null) throw new Error('the witness has a wrong checkpoint');
  const [old, size] = [known.checkpoint.size, asked?.checkpoint.size ?? 0];
  const tree = new TileTree(Math.max(old, size), httpLog(server).tile);
  const proof = old < size ? await tree.consistencyProof(old, size) : [];
  const forks: ForkEvidence[] = [];
  const witness = createWitness({
    logKeys,
    store: {
      read: () => Promise.resolve(checkpoint),
      write: () => Promise.resolve(),
      writeFork: (evidence) => Promise.resolve(void forks.push(evidence)),
    },
    cosign: () => Promise.resolve({ keyName: 'witness', keyId: '00000000', bytes: new Uint8Array(1) }),
  });
  const base64 = proof.map((hash) => Buffer.from(hash).toString('base64'));
  const answer = await witness.addCheckpoint(writeWitnessRequest({ old, proof: base64, note }));
  if (answer.status === 200) return null;
  const [first] = forks;
  if (first !== undefined) return { what: `refused with ${answer.status}`, evidence: first };
  if (answer.status !== 422 || asked === null)
    return { what: `refused with ${answer.status}`, evidence: null };
  const pair = [
    { note: checkpoint, checkpoint: known.checkpoint },
    { note, checkpoint: asked.checkpoint },
  ] as const;
  const compared = await compareCheckpoints(...pair, tree);
  return { what: 'refused with 422', evidence: compared.outcome === 'fork' ? compared.evidence : null };
}

export async function keysOf(keys: readonly string[]): Promise<readonly VerifierKey[]> {
  return (await Promise.all(keys.map(parseVerifierKey))).filter((key) => key !== null);
}

/** A third party has the key of the log, and what a party hands over as JSON. It trusts neither. */
export async function isConfirmed(finding: Finding, saved: Saved, around: Surroundings): Promise<boolean> {
  const given = JSON.parse(JSON.stringify({ finding, saved })) as {
    readonly finding: Finding;
    readonly saved: Saved;
  };
  const { evidence } = given.finding;
  if (evidence !== null) return verifyForkEvidence(evidence, { logKeys: await keysOf(saved.keys) });
  const again = await findFaults(given.saved, around);
  return again.some(({ party, what }) => party === finding.party && what === finding.what);
}
