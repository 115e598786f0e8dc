import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { Policy, WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';
import {
  allows,
  compileAuthority,
  defineAction,
  escalationOf,
  parsePolicy,
  resourceOf,
} from '../../../apps/server/src/access/permissions/index.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { drawAction, drawCandidate, drawGranter, drawResource } from '../permissions/policy-draw.ts';
import { allowedByWitness, uncoveredByWitness, witnessesOf } from '../permissions/witness-oracle.ts';

interface Tally {
  subsets: number;
  escalations: number;
  escalationsAccepted: number;
  subsetsRefused: number;
  wrongCounterExamples: number;
  questions: number;
  questionsAllowed: number;
  questionsWrong: number;
  unparsed: number;
}

export const suite: Suite = {
  name: 'subset',
  summary:
    'No grant exceeds its granter’s permissions and no true subset is refused, checked against an independent oracle.',
  promise:
    'A member who binds a policy to a token, a group or another member can grant at most their own permissions. Random policy pairs with wildcards are judged by the compiled algebra and by an oracle that shares no code with it: it replaces wildcards by unused names and matches the texts with regular expressions. Every uncovered pair is named, and no other.',
  measuresNoTime: true,
  run: async (context) => {
    const random = seededRandom(4);
    const tally: Tally = {
      subsets: 0,
      escalations: 0,
      escalationsAccepted: 0,
      subsetsRefused: 0,
      wrongCounterExamples: 0,
      questions: 0,
      questionsAllowed: 0,
      questionsWrong: 0,
      unparsed: 0,
    };
    const total = context.quick ? 30_000 : 1_000_000;
    while (tally.subsets + tally.escalations < total) judge(context, random, tally);
    report(context, tally);
  },
};

function judge(context: SuiteContext, random: Random, tally: Tally): void {
  const granter = drawGranter(random);
  const organization = random() < 0.05 ? 'other' : 'acme';
  const candidate = drawCandidate(random, granter, organization);
  const parsed = parsePolicy(candidate, organization);
  const policies = granter.map((policy) => parsePolicy(policy, 'acme'));
  if (!parsed.ok || policies.some(({ ok }) => !ok)) {
    tally.unparsed += 1;
    return;
  }
  const authority = compileAuthority(policies.flatMap((one) => (one.ok ? [one.value] : [])));
  const expected = uncoveredByWitness(granter, [candidate]);
  const given = uncovered(authority, parsed.value);
  if (expected.length === 0) tally.subsets += 1;
  else tally.escalations += 1;
  if (given.length === 0 && expected.length > 0) tally.escalationsAccepted += 1;
  if (given.length > 0 && expected.length === 0) tally.subsetsRefused += 1;
  if (given.join() !== expected.join()) {
    tally.wrongCounterExamples += 1;
    context.note(JSON.stringify({ granter, candidate, expected, given }));
  }
  ask(random, tally, granter, authority, candidate, given.length === 0);
}

function uncovered(authority: ReturnType<typeof compileAuthority>, candidate: Policy): string[] {
  const escalation = escalationOf(authority, compileAuthority([candidate]));
  return (escalation?.uncovered ?? []).map(({ action, resource }) => `${action} ${resource}`).sort();
}

/** One concrete request of the candidate's and an arbitrary one: the decisions must equal the oracle's. */
function ask(
  random: Random,
  tally: Tally,
  granter: readonly WrittenPolicy[],
  authority: ReturnType<typeof compileAuthority>,
  candidate: WrittenPolicy,
  within: boolean,
): void {
  const ownAction = candidate.actions.flatMap(witnessesOf).find(isWholeAction);
  const [ownResource] = candidate.resources.flatMap(witnessesOf);
  const questions: [string | undefined, string | undefined, boolean][] = [
    [ownAction, ownResource, within],
    [drawAction(random, 0), drawResource(random, 'acme', 0), false],
  ];
  for (const [action, resource, mustAllow] of questions) {
    if (action === undefined || resource === undefined) continue;
    const [, , organization = '', ...path] = resource.split('/');
    const allowed = allows(authority, defineAction(action), resourceOf(organization, ...path));
    tally.questions += 1;
    if (allowed) tally.questionsAllowed += 1;
    if (allowed !== allowedByWitness(granter, action, resource) || (mustAllow && !allowed))
      tally.questionsWrong += 1;
  }
}

function isWholeAction(text: string): boolean {
  const segments = text.split('/').length;
  return segments === 3 || segments === 4;
}

function report(context: SuiteContext, tally: Tally): void {
  const count = (name: string, value: number, unit: string, exactly?: number): void =>
    context.figure({ name, value, unit, ...(exactly === undefined ? {} : { goal: { exactly } }) });
  count('policy pairs judged', tally.subsets + tally.escalations, 'pairs');
  count('drawn in addition, with a spelling that the parser refuses', tally.unparsed, 'pairs');
  count('of these true subsets', tally.subsets, 'pairs');
  count('of these escalations', tally.escalations, 'pairs');
  count('escalations accepted', tally.escalationsAccepted, 'pairs', 0);
  count('true subsets refused', tally.subsetsRefused, 'pairs', 0);
  count('refusals that name a wrong set of pairs', tally.wrongCounterExamples, 'pairs', 0);
  count('concrete questions asked', tally.questions, 'questions');
  count('of these allowed', tally.questionsAllowed, 'questions');
  count('questions answered wrongly', tally.questionsWrong, 'questions', 0);
}
