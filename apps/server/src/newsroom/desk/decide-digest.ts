import type { Transaction } from 'kysely';

import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Decisions, decisions, recorded } from '../../record/index.ts';
import { corrections } from '../../record/index.ts';
import { requestDigestsAtOnce } from '../publication/digest-story.ts';
import type { Decide, FormState, InspectedState } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import type { DigestSentences, StorySubject } from './journal.ts';

interface DigestRequest extends FormState {
  readonly storyId: Id<'story'>;
  readonly language: ReaderLanguage;
  /** Null, of an undo: the story had no digest in this language. */
  readonly sentences: DigestSentences | null;
  /** For editors. */
  readonly reason: string;
  /** `false`, of an undo: rules write the digest again. */
  readonly byEditor?: boolean;
}

/** The digest of a story in a language. Rules leave it as it is until a person changes it or a cited item leaves. */
export function digestDecisions({ clock }: { readonly clock: Clock }, decide: Decide) {
  return {
    rewriteDigest: ({ storyId, language, sentences, reason, byEditor = true, ...form }: DigestRequest) =>
      decide(
        {
          action: 'rewrite-digest',
          subject: { kind: 'story', id: storyId },
          permission: deskActions.stories.update,
          reason,
          ...form,
          inspect: inspectDigest(storyId, language),
        },
        async (transaction, decisions) => {
          if (!corrections.isReason(reason)) return refused('invalid_reason');
          if (sentences?.length === 0) return refused('empty_digest');
          const before = await decisions.inspectStory({ storyId });
          if (!before.ok) return before;
          const part = `digest-${language}` as const;
          const was = before.value.byEditor.includes(part);
          const current = digestIn(before.value, language);
          if (was === byEditor && canonicalJson(sentencesOf(current)) === canonicalJson(sentences))
            return refused('nothing_changed');
          const written = sentences && {
            text: sentences.map(({ text }) => text).join(language === 'zh' ? '' : ' '),
            sentences: withKnownQuotes(sentences, current),
            contradictions: current?.contradictions ?? [],
          };
          const isOwn = languageOfText(before.value.title) === language;
          const revised = await decisions.reviseStory({
            storyId,
            changes: isOwn ? { digest: written } : { otherDigest: written },
            byEditor: { [part]: byEditor },
          });
          if (!revised.ok) return revised;
          if (!byEditor) await requestDigestsAtOnce(transaction, clock, [storyId]);
          const cites = [...new Set(sentences?.flatMap((sentence) => sentence.cites))];
          return accepted({ value: revised.value, detail: { changed: [part], was, cites } });
        },
      ),
  };
}

function digestIn(
  { title, digest, otherDigest }: decisions.StoryState,
  language: ReaderLanguage,
): decisions.StoryState['digest'] {
  return languageOfText(title) === language ? digest : otherDigest;
}

/** Sentences that an editor left as they are keep their quotes. */
function withKnownQuotes(
  sentences: DigestSentences,
  current: decisions.StoryState['digest'],
): recorded.StoryDigest['sentences'] {
  return sentences.map(
    (sentence) =>
      current?.sentences.find(
        ({ text, cites }) => canonicalJson({ text, cites }) === canonicalJson(sentence),
      ) ?? sentence,
  );
}

function sentencesOf(digest: decisions.StoryState['digest']): DigestSentences | null {
  return digest && digest.sentences.map(({ text, cites }) => ({ text, cites }));
}

function inspectDigest(storyId: Id<'story'>, language: ReaderLanguage) {
  return async (_transaction: Transaction<DB>, decisions: Decisions): Promise<InspectedState | null> => {
    const story = await decisions.inspectStory({ storyId });
    if (!story.ok) return null;
    const { title, itemIds } = story.value;
    const digests = { [language]: sentencesOf(digestIn(story.value, language)) };
    const state: StorySubject = { kind: 'story', title, itemIds, digests };
    return { state, itemIds };
  };
}
