import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ExhaustedQuota } from '../files/usage-store.ts';
import { takeRoom } from '../files/usage-store.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { idleReservationMs, partAddressSeconds } from '../storage-deps.ts';
import { quotaExceeded } from '../storage-problems.ts';
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
/** Bytes that arrive are noted this often. */
const activeEveryMs = 60_000;

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
    if ((await shrinkIdleReservations(database, idleSince(deps), { organizationId, rows: 10_000 })) > 0)
      exhausted = await insert();
  }
  if (exhausted !== null) raiseExhausted(exhausted);
}

/** Before bytes are accepted: the whole size is reserved again if it was shrunk. */
export async function holdReservation(deps: ReservationDeps, upload: Upload): Promise<void> {
  const now = deps.clock.now();
  if (upload.reserved === upload.size && now < addMs(upload.activeAt, activeEveryMs)) return;
  await deps.database.transaction().execute(async (transaction) => {
    const present = await lockUpload(transaction, upload.id);
    if (present?.state !== 'open') return;
    await growReservation(deps, transaction, present);
    await markActive(transaction, upload, now);
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

/** Call it with every chunk: the reservation of an upload whose bytes arrive slowly is not shrunk. */
export function createActivity(deps: ReservationDeps, upload: Upload): () => Promise<void> {
  let noted = deps.clock.now();
  return async () => {
    const now = deps.clock.now();
    if (now < addMs(noted, activeEveryMs)) return;
    noted = now;
    await markActive(deps.database, upload, now);
  };
}

/** Shrinks the reservations of all organizations, and counts the blobs of an earlier release. */
export async function releaseIdleSpace(deps: IdleDeps): Promise<void> {
  const { database } = deps;
  const since = idleSince(deps);
  while ((await shrinkIdleReservations(database, since, { rows: rowsMax })) === rowsMax);
  // Until the signed addresses end, parts arrive without a request to this server.
  await shrinkParted(deps, addMs(since, -partAddressSeconds * 1_000));
  while (await database.transaction().execute((transaction) => countUncounted(transaction, rowsMax)));
}

/** The bucket knows which parts have arrived. */
async function shrinkParted({ database, bucket }: IdleDeps, since: EpochMicroseconds): Promise<void> {
  const { direct } = bucket;
  if (direct === null) return;
  for (const id of await selectIdleParted(database, since, rowsMax)) {
    await database.transaction().execute(async (transaction) => {
      const upload = await lockUpload(transaction, id);
      if (upload?.state !== 'open' || upload.stagedName === null || upload.activeAt > since) return;
      const parts = await direct.arrivedParts(upload.stagedName);
      const arrived = parts.reduce((sum, { size }) => sum + size, 0);
      await shrinkReservation(transaction, upload, arrived);
    });
  }
}
