import { buffer } from 'node:stream/consumers';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { dayMs } from '../../foundation/clock.ts';
import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import { freeBuffersWhileFlowing } from '../../foundation/freed-buffers.ts';
import { addMs } from '../../foundation/instant.ts';
import { measureStored } from '../bucket/measured-body.ts';
import { claimInTurn } from '../claim-in-turn.ts';
import { forgetDerived, queueDerivations } from '../derived/derivation-store.ts';
import { saveHash } from '../files/version-store.ts';
import type { StorageDeps } from '../storage-deps.ts';
import type { Scan, ScanResult } from './clamd-scanner.ts';
import { ScannerUnreachable } from './clamd-scanner.ts';
import { detectMediaType, headBytesMax } from './detect-media-type.ts';
import type { DueBlob } from './inspection-store.ts';
import {
  claimDueBlob,
  saveScanned,
  saveUnscanned,
  spreadInfection,
  postponeInspection,
  selectReferences,
} from './inspection-store.ts';

export const fileInfected = defineAuditKind(
  'file_infected',
  (word) => `The scanner found ${word('finding')} in your file “${word('name')}”.`,
);

export interface InspectionDeps extends Pick<StorageDeps, 'clock' | 'ids' | 'bucket'> {
  /** Null without a scanner. */
  readonly scan: Scan | null;
}

type InspectionContext = Pick<SweepContext, 'transaction' | 'signal'>;

const everySeconds = 2;
const blobsAtOnce = 4;
/** The time limit of one content; the lease is longer, so that two processes never inspect the same one. */
const inspectionMs = 9 * 60_000;
const leaseMs = 10 * 60_000;
const unreachableDelayMs = 30_000;
const firstDelayMs = 60_000;
const delayMsMax = dayMs;

/** Inspects stored content: hashes it if needed, detects its media type and scans it. The rows are the queue. */
export function createInspectionSweep(deps: InspectionDeps): Sweep {
  return { name: 'inspect-files', everySeconds, run: (context) => inspectDueBlobs(deps, context) };
}

/** Inspects all due blobs, of each project in turn. Failures are retried later, and reported after the others are done. */
export async function inspectDueBlobs(deps: InspectionDeps, context: InspectionContext): Promise<void> {
  const faults: unknown[] = [];
  const isOver = (): boolean =>
    context.signal.aborted || faults.some((fault) => fault instanceof ScannerUnreachable);
  const claimNext = claimInTurn(
    (after: DueBlob['projectId'] | null) =>
      context.transaction((transaction) =>
        claimDueBlob(transaction, { now: deps.clock.now(), leaseMs, after }),
      ),
    ({ projectId }) => projectId,
  );
  const inspectNext = async (): Promise<void> => {
    while (!isOver()) {
      const blob = await claimNext();
      if (blob === null) return;
      const endFlow = freeBuffersWhileFlowing();
      await inspect(deps, context, blob)
        .catch(async (error: unknown) => {
          faults.push(error);
          await postpone(deps, context, blob, error);
        })
        .finally(endFlow);
    }
  };
  await Promise.all(Array.from({ length: blobsAtOnce }, inspectNext));
  if (faults.length > 0 && !context.signal.aborted)
    throw new AggregateError(faults, `${faults.length} files could not be inspected`);
}

async function inspect(deps: InspectionDeps, context: InspectionContext, blob: DueBlob): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(inspectionMs)]);
  await hash(deps, context, blob, signal);
  const mediaType = await detect(deps, blob, signal);
  const result = await deps.scan?.(
    { size: blob.size, open: (ended) => deps.bucket.open(blob.key, null, ended) },
    signal,
  );
  await context.transaction(async (transaction) => {
    if (result === undefined) {
      const dueAt = addMs(deps.clock.now(), delayMsMax);
      await saveUnscanned(transaction, blob, mediaType, dueAt);
    } else if (await saveScanned(transaction, blob, mediaType, result, deps.clock.now())) {
      await noteInfection(deps, transaction, blob, result);
    }
    // Nothing if it is not clean: the state in the row decides.
    await queueDerivations(transaction, { projectId: blob.projectId, keys: [blob.key] }, deps.clock.now());
  });
}

async function detect({ bucket }: InspectionDeps, { key, size }: DueBlob, signal: AbortSignal) {
  const bytes = Math.min(size, headBytesMax);
  const head =
    bytes === 0
      ? Buffer.alloc(0)
      : await buffer(await bucket.open(key, { first: 0, last: bytes - 1 }, signal));
  return detectMediaType(head, bytes === size);
}

/** Reads content that no api process has hashed, or that came in pieces; once, however long it waits for a scanner. */
async function hash(
  { bucket }: InspectionDeps,
  context: InspectionContext,
  { projectId, key, size, isHashed }: DueBlob,
  signal: AbortSignal,
): Promise<void> {
  if (isHashed) return;
  const found = await measureStored(bucket, key, signal);
  if (found.size !== size) throw new Error(`${key} has ${found.size} bytes instead of ${size}`);
  await context.transaction((transaction) => saveHash(transaction, projectId, key, found.sha256));
}

async function noteInfection(
  { clock, ids }: InspectionDeps,
  transaction: Parameters<typeof selectReferences>[0],
  blob: DueBlob,
  result: ScanResult,
): Promise<void> {
  if (result.state !== 'clean') await forgetDerived(transaction, blob.key);
  if (result.state !== 'infected') return;
  const others = await spreadInfection(transaction, blob, result.finding, clock.now());
  // A repeated scan with the same result is no news.
  const projects = blob.isInfected ? others : [blob.projectId, ...others];
  for (const projectId of projects)
    for (const found of await selectReferences(transaction, { projectId, key: blob.key })) {
      const { fileId, name, version, storedBy, organizationId } = found;
      await recordAuditEvent(transaction, ids, {
        kind: fileInfected,
        at: clock.now(),
        client: null,
        accountId: storedBy,
        organizationId,
        detail: { fileId, projectId, name, version, finding: result.finding },
      });
    }
}

async function postpone(
  { clock }: InspectionDeps,
  context: InspectionContext,
  blob: DueBlob,
  error: unknown,
): Promise<void> {
  const { delayMs, tries } = nextTry(context, blob, error);
  const later = { dueAt: addMs(clock.now(), delayMs), tries };
  await context.transaction((transaction) => postponeInspection(transaction, blob, later));
}

/** At once if the process stops, soon if the scanner is unreachable, with growing delays otherwise. */
function nextTry(
  { signal }: InspectionContext,
  { tries }: DueBlob,
  error: unknown,
): { readonly delayMs: number; readonly tries: number } {
  if (signal.aborted) return { delayMs: 0, tries };
  if (error instanceof ScannerUnreachable) return { delayMs: unreachableDelayMs, tries };
  return { delayMs: Math.min(firstDelayMs * 2 ** tries, delayMsMax), tries: tries + 1 };
}
