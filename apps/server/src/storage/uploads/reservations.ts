import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { DirectTransfer } from '../bucket/bucket.ts';
import type { ExhaustedQuota } from '../files/usage-store.ts';
import { takeRoom } from '../files/usage-store.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { idleReservationMs, partAddressSeconds } from '../storage-deps.ts';
import { quotaExceeded } from '../storage-problems.ts';
import type { IdleTimes } from './reservation-store.ts';
import {
  countUncounted,
  markActive,
  saveReserved,
  selectIdleParted,
  shrinkIdleReservations,
  shrinkReservation,
} from './reservation-store.ts';
import { insertUpload, lockUpload } from './upload-store.ts';
import type { Upload } from './upload.ts';

type ReservationDeps = Pick<StorageDeps, 'database' | 'clock' | 'settings'>;
type IdleDeps = Pick<StorageDeps, 'database' | 'clock' | 'bucket'>;

const rowsMax = 500;
/** Bytes that arrive are noted this often, and only if they are so many: requests without bytes reserve nothing. */
const activeEveryMs = 60_000;
const activeBytes = 1024 ** 2;

const reasons: Readonly<Record<ExhaustedQuota, string>> = {
  organization: 'The organization does not have enough storage left.',
  project: 'The project does not have enough storage left.',
  person: 'You do not have enough storage left in this organization.',
  guests: 'Guests of the organization do not have enough storage left.',
  members: 'The organization does not have enough storage left. The rest is reserved for owners and admins.',
  uploads: 'You have too many open uploads. Complete or cancel some of them.',
};

export function raiseExhausted(quota: ExhaustedQuota): never {
  throw new ProblemError(quotaExceeded, reasons[quota]);
}

function idleSince({ clock }: Pick<StorageDeps, 'clock'>): EpochMicroseconds {
  return addMs(clock.now(), -idleReservationMs);
}

/** If the space is insufficient, reservations without bytes are shrunk first. */
export async function reserveSpace(deps: ReservationDeps, upload: Upload): Promise<void> {
  const { database, settings } = deps;
  const insert = (): Promise<ExhaustedQuota | null> => insertUpload(database, upload, settings);
  let exhausted = await insert();
  if (exhausted !== null && exhausted !== 'uploads') {
    const { id: organizationId } = upload.organization;
    if (
      (await shrinkIdleReservations(database, idleTimes(idleSince(deps)), { organizationId, rows: 10_000 })) >
      0
    )
      exhausted = await insert();
  }
  if (exhausted !== null) raiseExhausted(exhausted);
}

/**
 * Before bytes are accepted: the whole size is reserved again if it was shrunk. Only bytes that arrive make the upload
 * active again.
 */
export async function holdReservation(deps: ReservationDeps, upload: Upload): Promise<void> {
  if (upload.reserved === upload.size) return;
  await deps.database.transaction().execute(async (transaction) => {
    const present = await lockUpload(transaction, upload.id);
    if (present?.state === 'open') await growReservation(deps, transaction, present);
  });
}

/** In a transaction that has locked the upload. */
export async function growReservation(
  { settings }: Pick<StorageDeps, 'settings'>,
  transaction: StorageDeps['database'],
  upload: Upload,
): Promise<void> {
  if (upload.reserved >= upload.size) return;
  const exhausted = await takeRoom(transaction, upload, upload.size - upload.reserved, settings);
  if (exhausted !== null) raiseExhausted(exhausted);
  await saveReserved(transaction, upload, upload.size);
}

/** Call it with the size of every chunk: the reservation of an upload whose bytes arrive is not shrunk. */
export function createActivity(
  deps: ReservationDeps,
  upload: Upload,
  arrivedBefore = 0,
): (bytes: number) => Promise<void> {
  let noted = upload.activeAt;
  let arrived = arrivedBefore % activeBytes;
  return async (bytes) => {
    arrived += bytes;
    const now = deps.clock.now();
    if (arrived < activeBytes || now < addMs(noted, activeEveryMs)) return;
    noted = now;
    arrived = 0;
    await markActive(deps.database, upload, now);
  };
}

/** Before parts are signed again: whether more of them have arrived since the upload was last active. */
export async function noteParts(
  deps: ReservationDeps,
  direct: DirectTransfer,
  upload: Upload,
): Promise<void> {
  const now = deps.clock.now();
  if (upload.stagedName === null || now < addMs(upload.activeAt, activeEveryMs)) return;
  const arrived = await measureParts(direct, upload.stagedName);
  if (arrived >= upload.partsArrived + activeBytes)
    await markActive(deps.database, upload, now, { partsArrived: arrived });
}

async function measureParts(direct: DirectTransfer, stagedName: string): Promise<number> {
  const parts = await direct.arrivedParts(stagedName);
  return parts.reduce((sum, { size }) => sum + size, 0);
}

/** Shrinks the reservations of all organizations, and counts the blobs of an earlier release. */
export async function releaseIdleSpace(deps: IdleDeps): Promise<void> {
  const { database } = deps;
  const since = idleSince(deps);
  // First, so that parts count that have arrived without a request to this server.
  await measureIdleParted(deps, partedSince(since));
  while ((await shrinkIdleReservations(database, idleTimes(since), { rows: rowsMax })) === rowsMax);
  while (await database.transaction().execute((transaction) => countUncounted(transaction, rowsMax)));
}

/** Parts can arrive until their signed addresses expire. */
function partedSince(since: EpochMicroseconds): EpochMicroseconds {
  return addMs(since, -partAddressSeconds * 1_000);
}

function idleTimes(since: EpochMicroseconds): IdleTimes {
  return { since, partedSince: partedSince(since) };
}

/** The bucket knows which parts have arrived: an upload with new ones is active, the others shrink to what arrived. */
async function measureIdleParted(
  { database, clock, bucket }: IdleDeps,
  since: EpochMicroseconds,
): Promise<void> {
  const { direct } = bucket;
  if (direct === null) return;
  for (const id of await selectIdleParted(database, since, rowsMax)) {
    await database.transaction().execute(async (transaction) => {
      const upload = await lockUpload(transaction, id);
      if (upload?.state !== 'open' || upload.stagedName === null || upload.activeAt > since) return;
      const partsArrived = await measureParts(direct, upload.stagedName);
      const isActive = partsArrived >= upload.partsArrived + activeBytes;
      await markActive(transaction, upload, isActive ? clock.now() : upload.activeAt, { partsArrived });
      if (!isActive) await shrinkReservation(transaction, upload, partsArrived);
    });
  }
}
