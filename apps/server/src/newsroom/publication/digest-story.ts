import type { Transaction } from 'kysely';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type {
  EngineDeclarations,
  Sweep,
  WorkflowDeclaration,
} from '../../foundation/engine/engine-declarations.ts';
import type { Id } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText, otherLanguage } from '../../foundation/reader-language.ts';
import type { Publisher } from '../../record/index.ts';
import { withoutDateline } from '../copy/dateline.ts';
import type { Digest, DigestRequest, StoryItem } from '../copy/digest/index.ts';
import { composeDigest, contradictedBy, deservesDigest } from '../copy/digest/index.ts';
import { withoutInstructions } from '../copy/instructions-in-text.ts';
import type { ModelWriterDeps } from '../copy/model/ask-model.ts';
import { writeDigest } from '../copy/model/write-digest.ts';
import { haveSameLanguage } from '../copy/writer.ts';
import type { QuotedDigest } from './quoted-digest.ts';
import { quotedDigest } from './quoted-digest.ts';
import type { ClaimedDigest, StoryToDigest } from './story-digest-store.ts';
import {
  claimDueDigests,
  finishDigest,
  postponeDigest,
  readItemsVersion,
  readStoryToDigest,
  requestDigests,
  requestMissingDigests,
} from './story-digest-store.ts';

export interface DigestDeps {
  readonly database: Database;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly aliases: readonly (readonly string[])[];
  /** Null: digests are written by rule. */
  readonly writer: ModelWriterDeps | null;
  /** A digest could not be written and will be retried. */
  readonly onFailed?: (storyId: Id<'story'>, error: unknown) => void;
}

/** A digest uses the newest items of a story and the beginning of each. */
const bounds = { itemsMax: 40, textCharsMax: 6_000 };
const sweepEverySeconds = 2;
/** Items of an event arrive in bursts and are digested together. */
const settleMs = 5_000;
/** An unfinished claim is due again after this time: by rule soon, with a model after every retry of its run. */
const claimed = {
  byRule: { countMax: 10, forMs: 5 * 60_000 },
  byModel: { countMax: 50, forMs: 60 * 60_000 },
};

/** Runs in the transaction that published or changed items of these stories. */
export function requestDigestsSoon(
  transaction: Transaction<DB>,
  clock: Clock,
  storyIds: readonly Id<'story'>[],
): Promise<void> {
  return requestDigests(transaction, storyIds, addMs(clock.now(), settleMs));
}

/** Runs in the transaction that merged or split these stories: their digests are written by the next sweep. */
export function requestDigestsAtOnce(
  transaction: Transaction<DB>,
  clock: Clock,
  storyIds: readonly Id<'story'>[],
): Promise<void> {
  return requestDigests(transaction, storyIds, clock.now());
}

/**
 * Writes the digests of stories whose items have changed, or whose digest a withdrawal deleted, from the last one
 * and all their items. A digest stays due until it is written. With a model each is a run of its own.
 */
export function digestWork(deps: DigestDeps): Required<Pick<EngineDeclarations, 'workflows' | 'sweeps'>> {
  const { writer } = deps;
  if (writer === null) return { workflows: [], sweeps: [digestsByRule(deps)] };
  const writing = digestWriting(deps, writer);
  return { workflows: [writing], sweeps: [digestsByModel(deps, writing)] };
}

function digestsByRule(deps: DigestDeps): Sweep {
  const { clock } = deps;
  return {
    name: 'digest-stories',
    everySeconds: sweepEverySeconds,
    run: async ({ transaction, signal }) => {
      for (;;) {
        const claims = await transaction((inside) => claimDigests(deps, inside, claimed.byRule));
        for (const claim of claims) {
          if (signal.aborted) return;
          await transaction(async (inside) => {
            const story = await readStoryToDigest(inside, claim.storyId, bounds);
            const digests = await bothDigests(story, async (language) => composed(deps, story, language));
            await publishDigests(deps, inside, claim, story, digests);
          }).catch(async (error: unknown) => {
            deps.onFailed?.(claim.storyId, error);
            await transaction((inside) => postponeDigest(inside, claim.storyId, clock.now()));
          });
        }
        if (claims.length < claimed.byRule.countMax) return;
      }
    },
  };
}

function digestWriting(
  deps: DigestDeps,
  writer: ModelWriterDeps,
): WorkflowDeclaration<ClaimedDigest, string> {
  return {
    name: 'digest-story',
    queue: { name: 'digests', runningPerProcessMax: 2 },
    run: async (context, claim) => {
      const story = await context.step('read', () => readStoryToDigest(deps.database, claim.storyId, bounds));
      const digests = await bothDigests(story, async (language, isOwn) => {
        const request = digestRequest(deps, story, language);
        if (request === null) return null;
        return writeDigest(context, writer, request, isOwn ? 'write-digest' : 'write-other-digest');
      });
      return context.transaction('publish', (transaction) =>
        publishDigests(deps, transaction, claim, story, digests),
      );
    },
  };
}

function digestsByModel(deps: DigestDeps, writing: WorkflowDeclaration<ClaimedDigest, string>): Sweep {
  return {
    name: 'digest-stories',
    everySeconds: sweepEverySeconds,
    run: ({ transaction, enqueue }) =>
      transaction(async (inside) => {
        for (const claim of await claimDigests(deps, inside, claimed.byModel))
          await enqueue(inside, writing, { id: `digest-${claim.storyId}-${claim.dueAt}`, input: claim });
      }),
  };
}

async function claimDigests(
  { clock }: DigestDeps,
  transaction: Transaction<DB>,
  { countMax, forMs }: { readonly countMax: number; readonly forMs: number },
): Promise<readonly ClaimedDigest[]> {
  const now = clock.now();
  await requestMissingDigests(transaction, now, countMax);
  return claimDueDigests(transaction, now, { countMax, dueAgainAt: addMs(now, forMs) });
}

/** In the language of the story's title, and in the other one. */
interface Digests {
  readonly digest: Digest | null;
  readonly otherDigest: Digest | null;
}

async function bothDigests(
  story: StoryToDigest | null,
  write: (language: ReaderLanguage, isOwn: boolean) => Promise<Digest | null>,
): Promise<Digests> {
  if (story === null) return { digest: null, otherDigest: null };
  const own = languageOfText(story.title);
  return { digest: await write(own, true), otherDigest: await write(otherLanguage(own), false) };
}

/** Null if fewer than two independent sources report the story, or none of them in this language. */
function digestRequest(
  { aliases }: Pick<DigestDeps, 'aliases'>,
  story: StoryToDigest | null,
  language: ReaderLanguage,
): DigestRequest | null {
  if (story === null) return null;
  const items = itemsOf(story);
  if (!deservesDigest(items)) return null;
  if (!items.some((item) => haveSameLanguage(item.language, language))) return null;
  return {
    previous: language === languageOfText(story.title) ? story.digest : story.otherDigest,
    items,
    language,
    ...(language === languageOfText(story.title) && { title: story.title }),
    aliases,
  };
}

function itemsOf(story: StoryToDigest): readonly StoryItem[] {
  return story.items.map(({ received, ...item }) => ({
    ...item,
    voice: item.voice ?? item.owner,
    text: withoutDateline(withoutInstructions(item.text).trimStart()),
    receivedAt: BigInt(received),
  }));
}

function composed(
  deps: Pick<DigestDeps, 'aliases'>,
  story: StoryToDigest | null,
  language: ReaderLanguage,
): Digest | null {
  const request = digestRequest(deps, story, language);
  return request === null ? null : composeDigest(request);
}

/** The title of a later item that contradicts the story's title; null if the title stays. */
function newTitle(
  deps: Pick<DigestDeps, 'aliases'>,
  story: StoryToDigest,
  digest: Digest | null,
): string | null {
  if (digest === null || digest.contradictions.length === 0) return null;
  const language = languageOfText(story.title);
  const request = digestRequest(deps, story, language);
  const itemId = request === null ? null : contradictedBy(request);
  const headline = story.items.find(({ id }) => id === itemId)?.headline ?? '';
  return headline === '' || languageOfText(headline) !== language ? null : headline;
}

/** What the rules would call a story whose title an editor wrote; null if they would leave the title. */
export async function proposeStoryTitle(
  { database, aliases }: Pick<DigestDeps, 'database' | 'aliases'>,
  storyId: Id<'story'>,
): Promise<string | null> {
  const story = await readStoryToDigest(database, storyId, bounds);
  if (story?.byEditor?.includes('title') !== true) return null;
  const title = newTitle({ aliases }, story, composed({ aliases }, story, languageOfText(story.title)));
  return title === story.title ? null : title;
}

async function publishDigests(
  deps: DigestDeps,
  transaction: Transaction<DB>,
  claim: ClaimedDigest,
  story: StoryToDigest | null,
  written: Digests,
): Promise<string> {
  const { storyId } = claim;
  const { publisher, clock } = deps;
  if (
    story === null ||
    [written.digest, written.otherDigest, story.digest, story.otherDigest].every((one) => one === null)
  ) {
    await finishDigest(transaction, claim, false);
    return 'nothing to say';
  }
  // A digest of other items, or of other versions of their text, is not published.
  if ((await readItemsVersion(transaction, storyId)) !== story.version) {
    await requestDigests(transaction, [storyId], clock.now());
    return 'the reports have changed';
  }
  const texts = { items: itemsOf(story), texts: story.items };
  const digest = await quotedDigest(transaction, written.digest, texts);
  const otherDigest = await quotedDigest(transaction, written.otherDigest, texts);
  const own = languageOfText(story.title);
  const isByEditor = (part: string): boolean => story.byEditor?.includes(part) === true;
  const isSame = (language: ReaderLanguage, before: Digest | null, after: QuotedDigest | null): boolean =>
    isByEditor(`digest-${language}`) || saysTheSame(before, after);
  const title = isByEditor('title') ? null : newTitle(deps, story, written.digest);
  if (
    !isSame(own, story.digest, digest) ||
    !isSame(otherLanguage(own), story.otherDigest, otherDigest) ||
    title !== null
  ) {
    const changes = {
      digest: withText(digest, own),
      otherDigest: withText(otherDigest, otherLanguage(own)),
      ...(title !== null && { title }),
    };
    const revised = await publisher.within(transaction, (decisions) =>
      decisions.reviseStory({ storyId, changes, titleBefore: story.title }),
    );
    if (!revised.ok) {
      await requestDigests(transaction, [storyId], clock.now());
      return revised.reason;
    }
  }
  await finishDigest(transaction, claim, digest !== null || otherDigest !== null);
  return 'written';
}

function withText(
  digest: QuotedDigest | null,
  language: ReaderLanguage,
): (QuotedDigest & { readonly text: string }) | null {
  return (
    digest && { ...digest, text: digest.sentences.map(({ text }) => text).join(language === 'zh' ? '' : ' ') }
  );
}

function saysTheSame(one: Digest | null, other: QuotedDigest | null): boolean {
  const words = (digest: Digest | QuotedDigest | null): string =>
    canonicalJson((digest && [digest.sentences, digest.contradictions]) as JsonValue);
  return words(one) === words(other);
}
