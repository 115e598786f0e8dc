import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Sweep, WorkflowDeclaration } from '../../foundation/engine/engine-declarations.ts';
import type { Id, IdSource } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import type { Publisher } from '../../record/index.ts';
import { withoutDateline } from '../copy/dateline.ts';
import type { Digest, DigestRequest } from '../copy/digest/index.ts';
import { composeDigest, deservesDigest } from '../copy/digest/index.ts';
import { withoutInstructions } from '../copy/instructions-in-text.ts';
import type { ModelWriterDeps } from '../copy/model/ask-model.ts';
import { writeDigest } from '../copy/model/write-digest.ts';
import { isChinese } from '../copy/writer.ts';
import type { StoryToDigest } from './story-digest-store.ts';
import {
  markDigestWritten,
  readReportsVersion,
  readStoryToDigest,
  requestDigest,
  requestMissingDigests,
  takeDueDigests,
} from './story-digest-store.ts';

export interface DigestDeps {
  readonly database: Database;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly aliases: readonly (readonly string[])[];
  /** Null: digests are written by rule. */
  readonly writer: ModelWriterDeps | null;
}

interface DigestInput {
  readonly storyId: Id<'story'>;
}

/** The account of an event is about its newest reports, and about how each of them begins. */
const bounds = { reportsMax: 40, textCharsMax: 6_000 };
const digestsAtOnceMax = 50;
const sweepEverySeconds = 2;
/** Reports of an event come in bursts: they are digested together. */
const settleMs = 5_000;

/** After a report of the story came or changed, in the transaction that published it. */
export function requestDigestSoon(
  transaction: Transaction<DB>,
  clock: Clock,
  storyId: Id<'story'>,
): Promise<void> {
  return requestDigest(transaction, storyId, addMs(clock.now(), settleMs));
}

/** Writes the digest of a story anew, from the last one and all its reports. The last step is one transaction. */
export function createDigests(deps: DigestDeps): WorkflowDeclaration<DigestInput, string> {
  const { writer } = deps;
  return {
    name: 'digest-story',
    // The steps with a model are others than those without one.
    version: writer === null ? 1 : 2,
    queue: { name: 'digests', runningPerProcessMax: 2 },
    run: async (context, { storyId }) => {
      if (writer === null)
        return context.transaction('publish', async (transaction) => {
          const story = await readStoryToDigest(transaction, storyId, bounds);
          return publishDigest(deps, transaction, storyId, story, composed(deps, story));
        });
      const story = await context.step('read', () => readStoryToDigest(deps.database, storyId, bounds));
      const request = digestRequest(deps, story);
      const digest = request === null ? null : await writeDigest(context, writer, request);
      return context.transaction('publish', (transaction) =>
        publishDigest(deps, transaction, storyId, story, digest),
      );
    },
  };
}

/** Hands over the stories whose reports have changed, or whose digest a withdrawal took along. */
export function createDigestSweep(
  { clock, ids }: Pick<DigestDeps, 'clock' | 'ids'>,
  digests: WorkflowDeclaration<DigestInput, string>,
): Sweep {
  return {
    name: 'digest-stories',
    everySeconds: sweepEverySeconds,
    run: ({ transaction, enqueue }) =>
      transaction(async (inside) => {
        await requestMissingDigests(inside, clock.now(), digestsAtOnceMax);
        const storyIds = await takeDueDigests(inside, clock.now(), digestsAtOnceMax);
        for (const storyId of storyIds)
          await enqueue(inside, digests, { id: `digest-${storyId}-${ids.next()}`, input: { storyId } });
      }),
  };
}

/** Null where fewer than two independent owners report it. */
function digestRequest({ aliases }: DigestDeps, story: StoryToDigest | null): DigestRequest | null {
  if (story === null || !deservesDigest(story.reports)) return null;
  return {
    previous: story.digest,
    reports: story.reports.map(({ received, ...report }) => ({
      ...report,
      text: withoutDateline(withoutInstructions(report.text).trimStart()),
      receivedAt: BigInt(received),
    })),
    language: languageOf(story),
    aliases,
  };
}

function composed(deps: DigestDeps, story: StoryToDigest | null): Digest | null {
  const request = digestRequest(deps, story);
  return request === null ? null : composeDigest(request);
}

function languageOf({ title }: StoryToDigest): 'en' | 'zh' {
  return /\p{Script=Han}/u.test(title) ? 'zh' : 'en';
}

async function publishDigest(
  { publisher, clock }: DigestDeps,
  transaction: Transaction<DB>,
  storyId: Id<'story'>,
  story: StoryToDigest | null,
  digest: Digest | null,
): Promise<string> {
  if (story === null || (digest === null && story.digest === null)) return 'nothing to say';
  // What was written about other reports, or other words of them, is not shown.
  if ((await readReportsVersion(transaction, storyId)) !== story.version) {
    await requestDigest(transaction, storyId, clock.now());
    return 'the reports have changed';
  }
  if (!saysTheSame(story.digest, digest)) {
    const glue = isChinese(languageOf(story)) ? '' : ' ';
    const changes = {
      digest: digest && { ...digest, text: digest.sentences.map(({ text }) => text).join(glue) },
    };
    const revised = await publisher.within(transaction, (decisions) =>
      decisions.reviseStory({ storyId, changes: changes as StoryChanges }),
    );
    if (!revised.ok) {
      await requestDigest(transaction, storyId, clock.now());
      return revised.reason;
    }
  }
  if (digest !== null) await markDigestWritten(transaction, storyId);
  return 'written';
}

/** Ids of reports are those of their items. */
type StoryChanges = Parameters<Publisher['reviseStory']>[0]['changes'];

function saysTheSame(one: Digest | null, other: Digest | null): boolean {
  const words = (digest: Digest | null): string =>
    JSON.stringify([digest?.sentences, digest?.contradictions]);
  return words(one) === words(other);
}
