import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { openAccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { compareAccounts, openUsageLog } from '../answers/budget-accounts.ts';
import type { BudgetedOrganization, Limit, Period, Question, Scope } from '../answers/budget-world.ts';
import { BudgetWorld, limits, periods, renewalOf, scopes } from '../answers/budget-world.ts';
import type { ChargingModel } from '../answers/charging-model.ts';
import { outputTokensMax, prices, startChargingModel } from '../answers/charging-model.ts';
import { pick } from '../permissions/policy-draw.ts';

export const suite: Suite = {
  name: 'budgets',
  measuresNoTime: true,
  summary:
    'Calls of language models never exceed a budget of tokens or money, of an organization, agent or member, per minute, day or month, while processes are killed.',
  headline: 'committed amounts above their limit',
  promise:
    'Three api processes answer 200 questions at once at each of 18 limits: tokens and money, of the organization, an agent and a member, per minute, day and month. A provider on loopback counts on its own, fails, refuses and breaks off. While calls are in progress, processes are killed with kill -9 and started again, and clients repeat the questions that this cut off with the same key. No committed amount, read by a trigger from every transaction, is above its limit; every receipt equals what the provider counted; an interrupted call counts with its whole reservation, which is at least what the provider counted; no call reaches the provider twice; and each period equals the sum of its calls. Refused questions get 429 budget_exhausted with the moment of renewal, from which on questions are answered again; no question outside the limit is refused.',
  run: async (context) => {
    const stage = await openAccountsStage();
    const random = seededRandom(72);
    const model = await startChargingModel(random);
    const folder = await mkdtemp(join(tmpdir(), 'daybook-models-'));
    try {
      const file = join(folder, 'models.json');
      const provider = { name: 'default', url: model.server.url, model: 'scripted', outputTokensMax };
      await writeFile(file, JSON.stringify({ providers: [{ ...provider, ...prices }] }), { mode: 0o600 });
      // Today at noon: no period ends by itself, and the news of this moment is recent.
      const startsAt = `${new Date().toISOString().slice(0, 10)}T12:00:00.000Z`;
      await proveBudgets(context, new BudgetWorld(stage, file, { startsAt, random }), model);
    } finally {
      await stage.stop();
      await model.server.close();
      await rm(folder, { recursive: true });
    }
  },
};

interface Case {
  readonly limit: Limit;
  readonly scope: Scope;
  readonly period: Period;
  /** Whether the budget names its subject, or applies to every agent or member. */
  readonly isNamed: boolean;
}

interface Tally {
  asked: number;
  byModel: number;
  exhausted: number;
  renewed: number;
  readonly faults: string[];
}

/** Room for some 40 calls, and for at most a dozen reservations at the same time. */
const roomOf: Readonly<Record<Limit, number>> = { tokens: 45_000, cost: 140_000 };

async function proveBudgets(context: SuiteContext, world: BudgetWorld, model: ChargingModel): Promise<void> {
  await world.open();
  const usageLog = await openUsageLog(world.stage.superuser.pool);
  const tally: Tally = { asked: 0, byModel: 0, exhausted: 0, renewed: 0, faults: [] };
  const cases = casesOf(context.quick);
  for (const [at, one] of cases.entries()) {
    const organization = await world.createOrganization();
    const budget = budgetOf(organization, one);
    await world.setBudget(organization, budget);
    await usageLog.limit(organization.id, { ...one, subject: budget.subject, max: roomOf[one.limit] });
    await askAtOnce(context, world, model, { organization, one, at, tally });
    await askUntilExhausted(world, organization, one, tally);
    await askAfterRenewal(world, organization, one, tally);
  }
  const accounts = await compareAccounts(world.stage.superuser.pool, model.charges);
  for (const line of [...tally.faults, ...accounts.faults].slice(0, 8)) context.note(line);
  report(context, world, { cases: cases.length, tally });
  reportAccounts(context, accounts, await usageLog.aboveLimit());
}

/** The quick form has each scope with each period once, and each of these with tokens or money. */
function casesOf(quick: boolean): readonly Case[] {
  const all = periods.flatMap((period, third) =>
    scopes.flatMap((scope, row) =>
      limits.map((limit, side) => ({ limit, scope, period, isNamed: side === 0, at: third + row + side })),
    ),
  );
  return quick ? all.filter(({ at, limit }) => at % 3 === 0 && (limit === 'tokens' || at > 0)) : all;
}

function budgetOf({ agents, members }: BudgetedOrganization, { limit, scope, period, isNamed }: Case) {
  const named = { organization: null, agent: agents[0] ?? null, member: members[0]?.id ?? null }[scope];
  return { scope, period, subject: isNamed ? named : null, [`${limit}_max`]: roomOf[limit] };
}

/** Whether the budget applies to the question. */
function isLimited({ agents, members }: BudgetedOrganization, { scope, isNamed }: Case, question: Question) {
  if (scope === 'organization' || !isNamed) return true;
  return scope === 'agent' ? question.agent === agents[0] : question.member === members[0];
}

let keys = 0;

function questionOf({ random }: BudgetWorld, { agents, members }: BudgetedOrganization): Question {
  keys += 1;
  return { member: pick(random, members), agent: pick(random, agents), key: `question-${keys}` };
}

/** At once, while one process after the other is killed with calls in progress. */
async function askAtOnce(
  context: SuiteContext,
  world: BudgetWorld,
  model: ChargingModel,
  run: {
    readonly organization: BudgetedOrganization;
    readonly one: Case;
    readonly at: number;
    readonly tally: Tally;
  },
): Promise<void> {
  const { organization, one, at, tally } = run;
  const quickKill = at % 2 === 0 ? [6] : [];
  const killAt = context.quick ? quickKill : [6, 20];
  let calls = 0;
  model.onCall = () => {
    calls += 1;
    if (killAt.includes(calls)) world.kill((at + calls) % 3);
  };
  const questions = Array.from({ length: context.quick ? 40 : 200 }, () => questionOf(world, organization));
  await Promise.all(questions.map((question) => askOnce(world, organization, one, question, tally)));
  model.onCall = () => {};
  await world.untilRestarted();
}

async function askOnce(
  world: BudgetWorld,
  organization: BudgetedOrganization,
  one: Case,
  question: Question,
  tally: Tally,
): Promise<number> {
  const answer = await world.ask(organization, question);
  tally.asked += 1;
  if (answer.status === 201) {
    if (answer.json<{ by: string }>().by === 'model') tally.byModel += 1;
    return 201;
  }
  const where = `${one.limit} of ${one.scope} per ${one.period}`;
  if (answer.status !== 429) {
    tally.faults.push(`${where}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer.status;
  }
  tally.exhausted += 1;
  const { code, detail = '' } = answer.json<{ code: string; detail?: string }>();
  const renewsAt = renewalOf(one.period, new Date(world.now));
  const seconds = String(Math.ceil((renewsAt.getTime() - world.now) / 1_000));
  const isDescribed =
    code === 'budget_exhausted' &&
    detail.includes(renewsAt.toISOString()) &&
    answer.headers['retry-after'] === seconds;
  if (!isDescribed)
    tally.faults.push(`${where}: 429 ${code}, ${detail}, after ${answer.headers['retry-after']}`);
  if (!isLimited(organization, one, question)) tally.faults.push(`${where}: refused outside of the limit`);
  return 429;
}

/** A question with room left is not refused: the last refusal leaves less than a reservation. */
async function askUntilExhausted(
  world: BudgetWorld,
  organization: BudgetedOrganization,
  one: Case,
  tally: Tally,
): Promise<void> {
  const { key: prefix } = questionOf(world, organization);
  const [agent = '', member] = [organization.agents[0], organization.members[0]];
  if (member === undefined) throw new Error('an organization has members');
  for (let round = 0; round < 100; round += 1) {
    const key = `${prefix}/${round}`;
    if ((await askOnce(world, organization, one, { member, agent, key }, tally)) === 429) break;
  }
  const subject = { organization: organization.id, agent, member: member.id }[one.scope];
  const { rows } = await world.stage.superuser.pool.query<{ used: string }>(
    `SELECT ${one.limit} AS used FROM agents.model_usage
     WHERE organization_id = $1 AND scope = $2 AND subject_id = $3 AND period = $4 ORDER BY starts_at DESC LIMIT 1`,
    [organization.id, one.scope, subject, one.period],
  );
  const left = roomOf[one.limit] - Number(rows[0]?.used);
  if (left > roomOf[one.limit] / 3 || Number.isNaN(left))
    tally.faults.push(`${one.limit} of ${one.scope} per ${one.period}: refused with ${left} left`);
  if (left < 0) tally.faults.push(`${one.limit} of ${one.scope} per ${one.period}: over by ${-left}`);
}

async function askAfterRenewal(
  world: BudgetWorld,
  organization: BudgetedOrganization,
  one: Case,
  tally: Tally,
): Promise<void> {
  await world.renew(one.period);
  const [member] = organization.members;
  if (member === undefined) throw new Error('an organization has members');
  await world.signIn(member);
  const status = await askOnce(
    world,
    organization,
    one,
    { ...questionOf(world, organization), member },
    tally,
  );
  if (status === 201) tally.renewed += 1;
}

function report(
  context: SuiteContext,
  { cutOff, kills }: BudgetWorld,
  { cases, tally }: { readonly cases: number; readonly tally: Tally },
): void {
  const atLeast = (name: string, value: number, unit: string, goal: number): void =>
    context.figure({ name, value, unit, goal: { atLeast: goal } });
  atLeast('limits', cases, 'limits', context.quick ? 6 : 18);
  atLeast('questions asked', tally.asked, 'questions', cases * (context.quick ? 40 : 200));
  atLeast('answers by the model', tally.byModel, 'answers', cases * 5);
  atLeast('refused because a budget is exhausted', tally.exhausted, 'questions', cases * 3);
  atLeast('processes killed', kills, 'kills', cases / 2);
  atLeast('questions cut off and repeated', cutOff, 'questions', cases / 2);
  context.figure({
    name: 'limits at which questions are answered again after the renewal',
    value: tally.renewed,
    unit: 'limits',
    goal: { exactly: cases },
  });
  context.figure({
    name: 'other statuses, refusals without code or renewal time, outside of the limit, or with room left',
    value: tally.faults.length,
    unit: 'answers',
    goal: { exactly: 0 },
  });
}

function reportAccounts(
  context: SuiteContext,
  accounts: Awaited<ReturnType<typeof compareAccounts>>,
  above: { readonly committed: number; readonly above: number },
): void {
  const never = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  context.figure({
    name: 'tokens that the provider counted',
    value: accounts.providerTokens,
    unit: 'tokens',
  });
  context.figure({ name: 'tokens of receipts', value: accounts.receiptTokens, unit: 'tokens' });
  context.figure({
    name: 'interrupted and failed calls: counted by the provider',
    value: accounts.interruptedProviderTokens,
    unit: 'tokens',
  });
  context.figure({
    name: 'interrupted and failed calls: reserved',
    value: accounts.interruptedReservedTokens,
    unit: 'tokens',
  });
  context.figure({
    name: 'calls that a kill interrupted',
    value: accounts.interrupted,
    unit: 'calls',
    goal: { atLeast: 3 },
  });
  context.figure({ name: 'committed amounts under a limit', value: above.committed, unit: 'amounts' });
  never('committed amounts above their limit', above.above, 'amounts');
  never('calls whose receipt differs from the provider’s count', accounts.differing, 'calls');
  never('calls of the provider that have no row', accounts.unknown, 'calls');
  never('calls that the provider counted above their reservation', accounts.aboveReservation, 'calls');
  never('calls that reached the provider twice', accounts.twice, 'calls');
  never('periods that differ from the sum of their calls', accounts.differingPeriods, 'periods');
}
