import { parseVerifierKey } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import type { RecordProof } from '@daybook/client/log/proof';
import { verifyProof } from '@daybook/client/log/proof';
import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { addDays } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import type { CalendarDate } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import { logKeyFile, rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { createTestClock } from '../../../apps/server/test/clock.ts';
import type { Answer } from '../../../apps/server/test/http-client.ts';
import { startNewsApp } from '../../../apps/server/test/news-app.ts';
import type { NewsApp } from '../../../apps/server/test/news-app.ts';
import { sequenceLog } from '../../../apps/server/test/sequence-log.ts';
import type { PublicAnswer } from '../moments/compare-answers.ts';
import { compareAnswers, firstDifference } from '../moments/compare-answers.ts';
import type { CopiedAnswer, Surface } from '../moments/public-answers.ts';
import { copyAnswer, pathAt, surfacesOf } from '../moments/public-answers.ts';
import { SimulatedQuarter } from '../moments/simulated-quarter.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { countBrokenPromises } from '../news/record-promises.ts';

interface Plan {
  readonly days: number;
  readonly decisionsPerDay: number;
  readonly moments: number;
}

const full: Plan = { days: 92, decisionsPerDay: 60, moments: 1_000 };
const quick: Plan = { days: 8, decisionsPerDay: 40, moments: 40 };
const firstDay = '2026-07-01' as CalendarDate;
const languages = ['en', 'zh'] as const;
const proofsOfEvery = 5;
const notesMax = 5;

export const suite: Suite = {
  name: 'as-of',
  nightly: true,
  summary:
    'The answer of every earlier moment is the one that readers got then, except for words that were withdrawn or corrected since.',
  headline: 'answers compared',
  promise:
    'A quarter of random decisions by the code of the publisher (a week with `--quick`): items are published, revised, selected, corrected and withdrawn; stories are opened, moved, digested, linked, merged, separated and split; sources change owners; rankings and daily, weekly and monthly reports are published, revised and corrected. At 1,000 random moments (40 with `--quick`) the suite copies what the API answers in two languages: items, stories, hot topics, and reports by date and the latest. In the end the API is asked for each of these moments with `?at=`. Every answer equals its copy, except for words of which the suite itself noted a withdrawal or correction since; these are in no answer, and the answer names the removal. Each fifth answer has a proof of the log entry that was current then, which verifies with the key alone.',
  measuresNoTime: true,
  run: async (context) => {
    const clock = createTestClock(`${firstDay}T00:00:00.000Z`);
    const stage = await setNewsStage(context.root, { clock });
    const app = await startNewsApp({ database: stage, clock });
    try {
      await proveMoments(context, { stage, app, clock });
    } finally {
      await app.stop();
      await stage.remove();
    }
  },
};

interface MomentStage {
  readonly stage: NewsStage;
  readonly app: NewsApp;
  readonly clock: ReturnType<typeof createTestClock>;
}

async function proveMoments(context: SuiteContext, deps: MomentStage): Promise<void> {
  const { stage, clock } = deps;
  const plan = context.quick ? quick : full;
  const random = seededRandom(37);
  const quarter = new SimulatedQuarter({ factory: stage.factory, clock, random });
  const copies = await passQuarter(deps, quarter, { plan, random });
  const signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('prove.example/log'));
  for (let sequenced = 1; sequenced > 0;) sequenced = await sequenceLog(stage.database, signer);
  const logKeys = (await Promise.all(signer.verifierKeys.map(parseVerifierKey))) as VerifierKey[];
  const { figure } = context;
  figure({ name: 'moments', value: new Set(copies.map(({ moment }) => moment)).size, unit: 'moments' });
  figure({ name: 'decisions', value: quarter.counts.accepted, unit: 'decisions' });
  figure({ name: 'items withdrawn', value: quarter.erased.withdrawnCount, unit: 'items' });
  figure({ name: 'corrections', value: quarter.erased.correctedCount, unit: 'corrections' });
  await compareAll(context, deps, { copies, quarter, logKeys });
  await rollWindow(stage.database, clock.now());
  await countBrokenPromises(context, stage.database, clock.now());
}

async function passQuarter(
  { stage, clock }: MomentStage,
  quarter: SimulatedQuarter,
  { plan, random }: { readonly plan: Plan; readonly random: () => number },
): Promise<readonly CopiedAnswer[]> {
  const copies: CopiedAnswer[] = [];
  const surfaces = surfacesOf({ record: stage.record, clock });
  const momentsPerDecision = plan.moments / (plan.days * plan.decisionsPerDay);
  let due = 0;
  for (let day = 0; day < plan.days; day += 1) {
    for (let count = 0; count < plan.decisionsPerDay; count += 1) {
      clock.advance({
        milliseconds: 1 + Math.floor((random() * (2 * 86_400_000)) / (plan.decisionsPerDay + 1)),
      });
      await quarter.decide();
      // Two decisions never have the same time here, and a moment is never that of a decision.
      clock.advance({ milliseconds: 1 });
      due += momentsPerDecision * 2 * random();
      if (due < 1) continue;
      due -= 1;
      for (const surface of chooseSurfaces(surfaces, quarter))
        copies.push(await copyAnswer(surface, clock.now()));
    }
    clock.advance({ milliseconds: 1 });
    await quarter.endDay(addDays(firstDay, day));
  }
  return copies;
}

/** Recent and old subjects alike. */
function chooseSurfaces(
  surfaces: ReturnType<typeof surfacesOf>,
  quarter: SimulatedQuarter,
): readonly Surface[] {
  const language = () => quarter.oneOf(languages) ?? 'en';
  const items = [quarter.itemIds, quarter.itemIds.slice(-40), quarter.itemIds.slice(-40)];
  const stories = [quarter.storyIds, quarter.storyIds.slice(-12), quarter.storyIds.slice(-12)];
  const editions = [quarter.issued, quarter.issued.slice(-3), quarter.issued.slice(-3)];
  return [
    ...items.flatMap((ids) => quarter.oneOf(ids) ?? []).map((id) => surfaces.item(id, language())),
    ...stories.flatMap((ids) => quarter.oneOf(ids) ?? []).map((id) => surfaces.story(id, language())),
    ...editions
      .flatMap((keys) => quarter.oneOf(keys) ?? [])
      .map(({ kind, period }) => surfaces.edition(kind, period, language())),
    ...languages.map((one) => surfaces.hotTopics(one)),
    surfaces.edition('daily', null, language()),
  ];
}

interface AsOf {
  readonly removed: readonly { readonly kind: string; readonly id: string; readonly because: string }[];
  readonly proof: string | null;
}

async function compareAll(
  context: SuiteContext,
  { app }: MomentStage,
  {
    copies,
    quarter,
    logKeys,
  }: {
    readonly copies: readonly CopiedAnswer[];
    readonly quarter: SimulatedQuarter;
    readonly logKeys: readonly VerifierKey[];
  },
): Promise<void> {
  const { erased } = quarter;
  const counts = { same: 0, erased: 0, wrong: 0, showing: 0, unnamed: 0, proofs: 0, unproved: 0 };
  for (const [at, copy] of copies.entries()) {
    const answer = await app.get(pathAt(copy));
    const { asOf, ...now } = bodyOf(answer);
    const removed = asOf?.removed ?? [];
    const exchanged = removed.filter(
      ({ kind, id }) => kind === 'item' && erased.isWithdrawnSince(id, copy.moment),
    );
    const { fault, isSame } = compareAnswers({ status: copy.status, body: copy.body }, now, {
      erasures: erased,
      moment: copy.moment,
      exchangedMax: 2 * exchanged.length,
    });
    if (isSame) counts.same += 1;
    else if (fault === null) counts.erased += 1;
    else counts.wrong += 1;
    if (fault !== null && counts.wrong <= notesMax) context.note(`${pathAt(copy)}: ${fault}`);
    if (erased.isErased(answer.text)) counts.showing += 1;
    if (!isSame && answer.status === 200 && removed.length === 0) {
      counts.unnamed += 1;
      if (counts.unnamed <= notesMax)
        context.note(`${pathAt(copy)} names no removal of ${firstDifference(copy.body, now.body)}`);
    }
    if (at % proofsOfEvery !== 0 || answer.status !== 200 || typeof asOf?.proof !== 'string') continue;
    counts.proofs += 1;
    if (!(await isProved(app, asOf.proof, logKeys))) counts.unproved += 1;
  }
  reportCounts(context, copies.length, counts);
}

/** A redirect leads to the same moment of the other story. */
function bodyOf(answer: Answer): PublicAnswer & { readonly asOf?: AsOf } {
  const { status } = answer;
  if (status === 308) {
    const location = String(answer.headers['location']).replace(/[?&]at=[^&]*/u, '');
    return { status, body: location };
  }
  if (status !== 200) return { status, body: null };
  const { asOf, ...body } = answer.json() as { asOf: AsOf };
  return { status, body, asOf };
}

async function isProved(app: NewsApp, path: string, logKeys: readonly VerifierKey[]): Promise<boolean> {
  const answer = await app.get(path);
  if (answer.status !== 200) return false;
  const { proof } = answer.json() as { proof: RecordProof };
  return (await verifyProof(proof, { logKeys })).ok;
}

function reportCounts(
  { figure }: SuiteContext,
  compared: number,
  counts: Readonly<
    Record<'same' | 'erased' | 'wrong' | 'showing' | 'unnamed' | 'proofs' | 'unproved', number>
  >,
): void {
  const none = (name: string, value: number, unit = 'answers'): void =>
    figure({ name, value, unit, goal: { exactly: 0 } });
  figure({ name: 'answers compared', value: compared, unit: 'answers' });
  figure({ name: 'answers that are the same', value: counts.same, unit: 'answers' });
  figure({
    name: 'answers without words that were erased since',
    value: counts.erased,
    unit: 'answers',
    goal: { atLeast: 1 },
  });
  none('answers that differ without a withdrawal or correction', counts.wrong);
  none('answers with words that were erased since', counts.showing);
  none('answers that differ and name no removal', counts.unnamed);
  figure({ name: 'proofs of earlier moments', value: counts.proofs, unit: 'proofs', goal: { atLeast: 1 } });
  none('proofs that do not verify', counts.unproved, 'proofs');
}
