import type { Id } from '../../foundation/ids.ts';
import type { Decisions, decisions } from '../../record/index.ts';
import type { SplitDigests } from './journal.ts';

/** The digests that a decision deleted; null if it deleted none. */
export function deletedDigests(
  before: decisions.StoryState | null,
  after: decisions.StoryState | null,
): SplitDigests | null {
  if (before === null || after === null || (before.digest === null && before.otherDigest === null))
    return null;
  if (after.digest !== null || after.otherDigest !== null) return null;
  const { digest, otherDigest, byEditor } = before;
  return { digest, otherDigest, byEditor };
}

/** Of an undo: the digests that the undone decision deleted, unless an editor has written one since. */
export async function restoreDigests(
  decisions: Decisions,
  storyId: Id<'story'>,
  { digest, otherDigest, byEditor }: SplitDigests,
): Promise<void> {
  const now = await decisions.inspectStory({ storyId });
  if (!now.ok || now.value.byEditor.some((part) => part !== 'title')) return;
  const parts = byEditor.filter((part) => part !== 'title');
  await decisions.reviseStory({
    storyId,
    changes: { digest, otherDigest },
    byEditor: Object.fromEntries(parts.map((part) => [part, true])),
  });
}

/** The items that the digests cite. */
export function citedInDigests({ digest, otherDigest }: SplitDigests): readonly Id<'item'>[] {
  const digests = [digest, otherDigest].filter((one) => one !== null);
  const cites = digests.flatMap(({ sentences, contradictions }) => [
    ...sentences.flatMap((sentence) => sentence.cites),
    ...contradictions.flatMap(({ earlier, later }) => [...earlier, ...later]),
  ]);
  return [...new Set(cites)];
}
