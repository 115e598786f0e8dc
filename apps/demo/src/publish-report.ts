import type { World } from '@daybook/newswire';

import { instantToMs } from '../../server/src/foundation/instant.ts';
import type { Publisher } from '../../server/src/record/index.ts';
import { demoId } from './demo-id.ts';
import type { NewsroomMemory } from './newsroom-memory.ts';
import type { ToldReport } from './told-report.ts';
import { instantOf, itemOf, tellReport } from './told-report.ts';

interface Deps {
  readonly publisher: Publisher;
  readonly world: World;
}

/** One report with all that follows from it: its story grows, its digest is written anew, an error is put right. */
export async function publishReport(
  { publisher, world }: Deps,
  memory: NewsroomMemory,
  told: ToldReport,
): Promise<void> {
  const { report, itemId } = told;
  const published = await publisher.publishItem(itemOf(told));
  if (!published.ok && published.reason !== 'already_published')
    throw new Error(`${report.key}: ${published.reason}`);
  if (report.selected)
    mustHold(await publisher.selectItem({ itemId, reason: report.reason ?? 'Chosen by an editor.' }));
  if (report.storyKey !== null) await tellStory({ publisher, world }, memory, told, report.storyKey);
  if (report.role === 'correction' && report.contradicts !== undefined) {
    await correctDaily(publisher, memory, told, report.contradicts);
  }
}

/** The world is consistent, so a refusal is a mistake of the demonstration's. */
function mustHold(result: { readonly ok: boolean; readonly reason?: string }): void {
  if (!result.ok) throw new Error(`the record refused: ${result.reason}`);
}

async function tellStory(
  { publisher, world }: Deps,
  memory: NewsroomMemory,
  told: ToldReport,
  storyKey: string,
): Promise<void> {
  const { report, itemId } = told;
  // The world counts in milliseconds: up to the one after, so that this very report is known.
  const asOf = instantToMs(told.at) + 1;
  const truth = world.storyTruth(storyKey, { asOf, language: told.language });
  if (truth === undefined) return;
  const storyId = storyIdOf(truth);
  const storyline =
    report.storylineKey === null ? {} : { storylineId: demoId('storyline', report.storylineKey, 0) };
  const opened = await publisher.openStory({
    id: storyId,
    title: truth.title,
    ...storyline,
    itemIds: [itemId],
  });
  if (!opened.ok) mustHold(await publisher.assignToStory({ storyId, itemIds: [itemId] }));
  if (report.role === 'reprint') return;
  const itemIds = (keys: readonly string[]) =>
    keys.flatMap((key) => {
      const cited = memory.find(key);
      return cited === undefined ? [] : [cited.itemId];
    });
  const neighbours = truth.neighbours.flatMap((neighbour) => {
    const other = world.storyTruth(neighbour.storyKey, { asOf });
    if (other === undefined) return [];
    const kind = neighbour.relation === 'related' ? ('related' as const) : ('storyline' as const);
    return [{ storyId: storyIdOf(other), kind, relation: neighbour.relation }];
  });
  const changes = {
    digest: {
      text: truth.digest.map(({ text }) => text).join(told.language === 'zh' ? '' : ' '),
      sentences: truth.digest.map(({ text, cites }) => ({ text, cites: itemIds(cites) })),
      contradictions: truth.contradictions.map(({ statement, earlier, later }) => ({
        statement,
        earlier: itemIds(earlier),
        later: itemIds(later),
      })),
    },
  };
  mustHold(await publisher.reviseStory({ storyId, changes: { ...changes, neighbours } }));
}

function storyIdOf(truth: {
  readonly key: string;
  readonly firstReportAt: string;
}): ReturnType<typeof demoId<'story'>> {
  return demoId('story', truth.key, instantToMs(instantOf(truth.firstReportAt)));
}

async function correctDaily(
  publisher: Publisher,
  memory: NewsroomMemory,
  told: ToldReport,
  wrongKey: string,
): Promise<void> {
  const wrong = memory.find(wrongKey);
  if (wrong === undefined) return;
  const cites = ([, cited]: readonly [string, readonly ToldReport[]]): boolean =>
    cited.some(({ itemId }) => itemId === wrong.itemId);
  const [daily] = [...memory.dailies].findLast(cites) ?? [];
  if (daily === undefined) return;
  const note = `${told.report.outlet.name} has corrected a figure in “${tellReport(wrong.report).report.title}”.`;
  await publisher.correctEdition({ kind: 'daily', period: daily, note });
}
