import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import type { Publisher } from '../../server/src/record/index.ts';
import type { ToldReport } from './told-report.ts';

type HeatCandidate = Parameters<Publisher['publishRanking']>[0]['candidates'][number];

const heatSpan = 48n * 3_600_000_000n;
const remembered = 33n * 86_400_000_000n;

/** What the demonstration's newsroom knows of the last month, so that it can rank and compile. */
export class NewsroomMemory {
  #recent: ToldReport[] = [];
  readonly #byKey = new Map<string, ToldReport>();
  /** Which items each daily cites, and the other way round. */
  readonly dailies = new Map<string, readonly ToldReport[]>();

  add(told: ToldReport): void {
    this.#recent.push(told);
    this.#byKey.set(told.report.key, told);
    const [oldest] = this.#recent;
    if (oldest !== undefined && told.at - oldest.at > 2n * remembered) this.#forget(told.at - remembered);
  }

  find(key: string): ToldReport | undefined {
    return this.#byKey.get(key);
  }

  /** Selected items discovered in the window. */
  selectedBetween(start: EpochMicroseconds, end: EpochMicroseconds): readonly ToldReport[] {
    return this.#recent.filter(({ at, report }) => report.selected && at >= start && at < end);
  }

  /** Every story reported within 48 hours, by its best report. Reprints weigh nothing. */
  heatCandidates(at: EpochMicroseconds): readonly HeatCandidate[] {
    const recent = this.#recent.filter(
      (told) => told.report.storyKey !== null && at - told.at <= heatSpan && told.at <= at,
    );
    const byStory = Map.groupBy(recent, (told) => told.report.storyKey);
    return [...byStory.values()].map((reports) => {
      const [best] = [...reports].sort((one, other) => other.report.score - one.report.score);
      if (best === undefined) throw new Error('a story without reports');
      return {
        itemId: best.itemId,
        reports: reports.map(({ report, itemId, at: reportedAt }) => ({
          itemId,
          reportedAt,
          owner: report.outlet.owner,
          sourceName: report.outlet.name,
          firstParty: report.outlet.firstPartyOf !== null,
          weight: report.role === 'reprint' ? 0 : report.outlet.weight,
        })),
      };
    });
  }

  #forget(before: bigint): void {
    for (const { at, report } of this.#recent) if (at < before) this.#byKey.delete(report.key);
    this.#recent = this.#recent.filter(({ at }) => at >= before);
  }
}
