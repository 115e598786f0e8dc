import type { FileHandle } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import { dayMs } from '../../foundation/clock.ts';
import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import { addMs } from '../../foundation/instant.ts';
import { normalizeSearchText } from '../../foundation/search-text.ts';
import { claimInTurn } from '../claim-in-turn.ts';
import type { StorageDeps } from '../storage-deps.ts';
import type { DerivableContent, DueContent } from './derivation-store.ts';
import {
  claimDueContent,
  findDerivable,
  finishDerivation,
  postponeDerivation,
  queueEarlierContent,
} from './derivation-store.ts';
import { drawPicture, pictureBytesMax, pictureFormatOf } from './draw-picture.ts';
import { gramsInPieces } from './grams-in-pieces.ts';
import { withNamelessFile } from './nameless-file.ts';
import { savePicture } from './picture-store.ts';
import type { ReadText } from './read-content-text.ts';
import { documentBytesMax, plainBytesMax, readDocumentText, readPlainText } from './read-content-text.ts';
import { SandboxUnavailable, whyNoSandbox } from './sandbox.ts';
import type { TextFormat } from './text-format.ts';
import { textFormatOf } from './text-format.ts';
import { saveText, takeTextPosition } from './text-store.ts';

export interface DerivationDeps extends Pick<StorageDeps, 'clock' | 'bucket' | 'settings'> {
  /** Null: sandboxes can be started. */
  readonly whyNoSandbox: (signal: AbortSignal) => Promise<string | null>;
}

type DerivationContext = Pick<SweepContext, 'transaction' | 'signal'>;

const everySeconds = 2;
const contentsAtOnce = 2;
/** The time limit of one content; the lease is longer, so that two processes never read the same one. */
const derivationMs = 4 * 60_000;
const leaseMs = 5 * 60_000;
const unavailableMs = 10 * 60_000;
const firstDelayMs = 60_000;
const secondTryMs = 10 * 60_000;
const noSpaceDelayMs = 60 * 60_000;

/**
 * Reads the text of content that was scanned, documents in a sandbox. The rows are the queue. Transient: an unreachable
 * bucket or database, a full quota, and a machine without a sandbox; final: content that its program cannot read.
 */
export function createDerivationSweep(deps: Omit<DerivationDeps, 'whyNoSandbox'>): Sweep {
  let known: { readonly fault: string | null; readonly untilMs: number } | null = null;
  const whyNone = async (signal: AbortSignal): Promise<string | null> => {
    if (known === null || known.untilMs < performance.now()) {
      const fault = await whyNoSandbox(signal);
      known = { fault, untilMs: performance.now() + unavailableMs };
    }
    return known.fault;
  };
  return {
    name: 'read-texts',
    everySeconds,
    run: (context) => deriveDueContents({ ...deps, whyNoSandbox: whyNone }, context),
  };
}

/**
 * Reads all due contents, of each organization in turn: the upload of a whole archive delays no other organization. Failures
 * are retried later, and reported after the others are done.
 */
export async function deriveDueContents(deps: DerivationDeps, context: DerivationContext): Promise<void> {
  const faults: unknown[] = [];
  const claimNext = claimInTurn(
    (after: DueContent['organizationId'] | null) =>
      context.transaction((transaction) =>
        claimDueContent(transaction, { now: deps.clock.now(), leaseMs, after }),
      ),
    ({ organizationId }) => organizationId,
  );
  const deriveNext = async (): Promise<void> => {
    while (!context.signal.aborted) {
      const content = await claimNext();
      if (content === null) return;
      await derive(deps, context, content).catch(async (error: unknown) => {
        const { tries } = content;
        // Not a fault of this content, and reported by `daybook doctor` and the metric.
        if (error instanceof SandboxUnavailable)
          return postpone(deps, context, content, { delayMs: unavailableMs, tries });
        faults.push(error);
        const isAborted = context.signal.aborted;
        const delayMs = isAborted ? 0 : Math.min(firstDelayMs * 2 ** tries, dayMs);
        return postpone(deps, context, content, { delayMs, tries: isAborted ? tries : tries + 1 });
      });
    }
  };
  await Promise.all(Array.from({ length: contentsAtOnce }, deriveNext));
  if (faults.length > 0 && !context.signal.aborted)
    throw new AggregateError(faults, `the text of ${faults.length} files could not be read`);
}

const earlierRowsMax = 10_000;

/** Queues content that an earlier release has inspected, some thousand rows every five minutes. */
export async function queueEarlierContents({
  database,
  clock,
}: Pick<StorageDeps, 'database' | 'clock'>): Promise<number> {
  return database
    .transaction()
    .execute((transaction) => queueEarlierContent(transaction, clock.now(), earlierRowsMax));
}

async function postpone(
  { clock }: DerivationDeps,
  context: DerivationContext,
  content: DueContent,
  { delayMs, tries }: { readonly delayMs: number; readonly tries: number },
): Promise<void> {
  const later = { dueAt: addMs(clock.now(), delayMs), tries };
  await context.transaction((transaction) => postponeDerivation(transaction, content, later));
}

async function derive(deps: DerivationDeps, context: DerivationContext, content: DueContent): Promise<void> {
  const { key } = content;
  const finish = (fault: string | null): Promise<void> =>
    context.transaction((transaction) => finishDerivation(transaction, key, fault));
  const found = await context.transaction((transaction) => findDerivable(transaction, key));
  const format = found === null ? null : textFormatOf(found, found.name);
  if (found !== null) await deriveFirstPicture(deps, context, content, found);
  if (found === null || format === null || found.size === 0) return finish(null);
  if (format !== 'plain' && found.size > documentBytesMax) return finish('too large');
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(derivationMs)]);
  const read = await readText(deps, key, format, found.size, signal);
  // A second time: a busy machine may have been out of time.
  if (read.ended === 'failed' && content.tries === 0)
    return postpone(deps, context, content, { delayMs: secondTryMs, tries: 1 });
  if (read.ended === 'failed') return finish(read.reason);
  if (read.text === '') return finish(null);
  await save(deps, context, content, {
    ...read,
    isTruncated: read.isTruncated || isPart(format, found.size),
  });
}

/** Before the text, and only in the first attempt: a picture is no reason to try again. */
async function deriveFirstPicture(
  deps: DerivationDeps,
  context: DerivationContext,
  { key, organizationId, tries }: DueContent,
  found: DerivableContent,
): Promise<void> {
  const format = pictureFormatOf(found);
  const isSmall = found.size > 0 && found.size <= documentBytesMax;
  if (format === null || !isSmall || tries > 0) return;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(derivationMs)]);
  // A machine without sandboxes has no pictures; documents wait for another machine.
  if ((await deps.whyNoSandbox(signal)) !== null) return;
  const picture = await withContentFile(deps, key, found.size, signal, (file) =>
    drawPicture(file, format, signal),
  );
  if (picture === null || picture.length > pictureBytesMax) return;
  const { quotaBytes, membersQuotaPercent: usablePercent } = deps.settings;
  await context.transaction((transaction) =>
    savePicture(transaction, { key, organizationId, picture }, { quotaBytes, usablePercent }),
  );
}

async function readText(
  deps: DerivationDeps,
  key: string,
  format: TextFormat,
  size: number,
  signal: AbortSignal,
): Promise<ReadText> {
  if (format === 'plain') {
    const body = await deps.bucket.open(key, { first: 0, last: Math.min(size, plainBytesMax) - 1 }, signal);
    return readPlainText(await buffer(body));
  }
  const fault = await deps.whyNoSandbox(signal);
  if (fault !== null) throw new SandboxUnavailable(fault);
  return withContentFile(deps, key, size, signal, (file) => readDocumentText(file, format, signal));
}

function isPart(format: TextFormat, size: number): boolean {
  return format === 'plain' && size > plainBytesMax;
}

/** Some characters become eighteen when they are folded. */
const foldedCharsMax = 2_000_000;

async function save(
  deps: DerivationDeps,
  context: DerivationContext,
  content: DueContent,
  { text, isTruncated }: { readonly text: string; readonly isTruncated: boolean },
): Promise<void> {
  const { key, organizationId } = content;
  const folded = normalizeSearchText(text).slice(0, foldedCharsMax);
  const grams = await gramsInPieces(folded);
  const { quotaBytes, membersQuotaPercent: usablePercent } = deps.settings;
  const now = deps.clock.now();
  const position = await context.transaction((transaction) =>
    takeTextPosition(transaction, organizationId, now),
  );
  const saved = await context.transaction((transaction) =>
    saveText(
      transaction,
      { key, organizationId, position, text, isTruncated, folded, grams },
      { quotaBytes, usablePercent },
    ),
  );
  if (saved === 'no space')
    await postpone(deps, context, content, { delayMs: noSpaceDelayMs, tries: content.tries });
}

async function withContentFile<Result>(
  { bucket }: DerivationDeps,
  key: string,
  bytes: number,
  signal: AbortSignal,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const body = await bucket.open(key, { first: 0, last: bytes - 1 }, signal);
  return withNamelessFile(body as AsyncIterable<Buffer>, bytes, work);
}
