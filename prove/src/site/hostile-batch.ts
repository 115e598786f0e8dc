import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { RecordFactory } from '../news/news-stage.ts';
import { issue, publishRanking } from '../news/news-world.ts';
import { hostileUrls } from './hostile-texts.ts';

export interface HostileBatch {
  readonly itemIds: readonly Id<'item'>[];
  /** Null where none of it could be published. */
  readonly storyId: Id<'story'> | null;
  /** Of the daily made of it. */
  readonly period: string;
}

/** Items, a story with a digest, a ranking and an edition, all made of the batch. */
export async function publishHostileBatch(
  factory: RecordFactory,
  batch: readonly string[],
  index: number,
): Promise<HostileBatch> {
  const ids: Id<'item'>[] = [];
  for (const [at, text] of batch.entries()) {
    const published = await factory.publisher.publishItem(
      factory.draft({
        title: text,
        summary: text,
        originalTitle: text,
        sourceName: text.slice(0, 200),
        originalUrl: hostileUrls[at % hostileUrls.length] as string,
        language: at % 2 === 0 ? 'en' : null,
      }),
    );
    if (!published.ok) continue;
    const { itemId } = published.value;
    ids.push(itemId);
    await factory.publisher.selectItem({ itemId, reason: text.slice(0, 300) });
  }
  const period = `2026-10-${String(1 + index).padStart(2, '0')}`;
  const [first, second] = ids;
  if (first === undefined || second === undefined) return { itemIds: ids, storyId: null, period };
  const { storyId } = valueOf(await factory.publisher.openStory({ title: batch[0] ?? '', itemIds: ids }));
  const sentences = batch.slice(0, 6).map((text) => ({ text, cites: [first] }));
  valueOf(
    await factory.publisher.reviseStory({
      storyId,
      changes: {
        digest: {
          text: batch[0] ?? '',
          sentences,
          contradictions: [{ statement: batch[1] ?? '', earlier: [first], later: [second] }],
        },
      },
    }),
  );
  await publishRanking(factory, ids);
  await issue(factory, 'daily', period, ids);
  return { itemIds: ids, storyId, period };
}
