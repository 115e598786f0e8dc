import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { GrantStage } from '../permissions/grant-stage.ts';

interface Tally {
  asked: number;
  done: number;
  admitted: number;
  escalations: number;
  refused: number;
  unexpected: number;
  beyond: number;
  unordered: number;
  lost: number;
}

const atOnce = 8;

export const suite: Suite = {
  name: 'grant-races',
  summary:
    'Concurrent changes of policies, groups, roles, tokens and invitations never grant more than the caller holds.',
  promise:
    'Members and tokens of one organization edit policies, groups, roles and tokens, send invitations and remove members at the same time on two api processes. A policy is edited while a token receives it, a policy and a user join a group together, a mode changes while its creator gains permissions, and granters lose permissions meanwhile. Three people accept one invitation at once while it is cancelled or its sender is demoted or removed: it admits at most one, and it ends when its sender can no longer grant its role. Afterwards the suite reads the order of the changes from the audit log and judges each with a model that shares no code with the server: no change grants more than its author held at that moment, and the model ends with the contents of the tables.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const settings = { DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000', DAYBOOK_LOG_LEVEL: 'error' };
      const processes = await Promise.all(
        [1, 2].map(() => stage.start({ settings, signInsUnlimited: true })),
      );
      const random = seededRandom(12);
      const tally: Tally = {
        asked: 0,
        done: 0,
        admitted: 0,
        escalations: 0,
        refused: 0,
        unexpected: 0,
        beyond: 0,
        unordered: 0,
        lost: 0,
      };
      const [worlds, batches] = context.quick ? [1, 20] : [12, 100];
      for (let world = 0; world < worlds; world += 1) {
        const grants = await GrantStage.open(stage, processes, random);
        for (let batch = 0; batch < batches; batch += 1) await race(context, grants, tally);
        const lost = await grants.differences();
        for (const line of lost.slice(0, 5)) context.note(line);
        tally.lost += lost.length;
      }
      report(context, tally);
    } finally {
      await stage.stop();
    }
  },
};

async function race(context: SuiteContext, grants: GrantStage, tally: Tally): Promise<void> {
  const moves = new Map(grants.draw.batch(atOnce).map((move) => [String((tally.asked += 1)), move] as const));
  const answers = await Promise.all([...moves].map(([mark, move], index) => grants.send(move, mark, index)));
  let before = 0;
  for (const { mark, version } of await grants.order([...moves.keys()])) {
    const move = moves.get(mark);
    if (move === undefined || (before > 0 && version !== before + 1)) tally.unordered += 1;
    before = version;
    if (move === undefined) continue;
    tally.done += 1;
    if (move.step.kind === 'accept') tally.admitted += 1;
    const faults = grants.world.take(move.actor, move.step, mark);
    if (faults.length > 0) {
      tally.beyond += 1;
      context.note(`${move.actor.name}: ${JSON.stringify(move.step)}: ${faults[0]}`);
    }
  }
  for (const [at, { actor }] of [...moves.values()].entries()) {
    const { status, text } = answers[at] as StageAnswer;
    // A token ends with the membership of its creator.
    const hasEnded = actor.kind === 'token' && !grants.world.tokens.has(actor.name);
    if (status === 403 && text.includes('permission_escalation')) tally.escalations += 1;
    else if ([400, 403, 404, 409].includes(status) || (status === 401 && hasEnded)) tally.refused += 1;
    else if (![200, 201, 204, 303].includes(status)) {
      tally.unexpected += 1;
      context.note(text);
    }
  }
}

function report(context: SuiteContext, tally: Tally): void {
  const count = (name: string, value: number, exactly?: number): void =>
    context.figure({ name, value, unit: 'changes', ...(exactly === undefined ? {} : { goal: { exactly } }) });
  count(`changes requested, ${atOnce} at once`, tally.asked);
  count('of these done', tally.done);
  count('of these acceptances of an invitation', tally.admitted);
  count('of those requested, refused as escalations', tally.escalations);
  count('of those requested, refused for another reason', tally.refused);
  count('answered with any other status', tally.unexpected, 0);
  count('granting more than their author held at that moment', tally.beyond, 0);
  count('without a place in one order', tally.unordered, 0);
  count('rows in which the model and the tables differ', tally.lost, 0);
}
