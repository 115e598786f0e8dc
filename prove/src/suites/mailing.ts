import type { Suite, SuiteContext } from '@daybook/evidence';

import {
  openSubscription,
  readUndelivered,
  requestSubscription,
  saveSubscription,
  unsubscribe,
} from '../../../apps/server/src/mailing/index.ts';
import type { MailingStage } from '../mailing/mailing-stage.ts';
import { setMailingStage } from '../mailing/mailing-stage.ts';

export const suite: Suite = {
  name: 'mailing',
  summary:
    'Each subscriber receives each report once, or the mail is listed as undelivered, while workers are killed.',
  headline: 'mails due',
  promise:
    'Two workers mail three reports to subscribers through a real SMTP server. Workers are killed with `kill -9` when a mail has arrived and its acknowledgement has not, and when a recipient has just been sent. No report arrives twice. Each subscriber who did not receive a report is listed as undelivered, and a subscriber who unsubscribed before a report never receives it. An address that the server refuses permanently is not tried again once the refusal is recorded; an address that it refuses temporarily receives its mail later.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setMailingStage();
    try {
      await mailReports(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

/** The actions of subscribers, by their number. */
const roles = {
  leavesAfterFirst: (number: number) => number % 10 === 1,
  leavesDuringSecond: (number: number) => number % 10 === 2,
  refusedForGood: (number: number) => number % 20 === 3,
  refusedForNow: (number: number) => number % 20 === 4,
};
const emailOf = (number: number): string => `reader${number}@example.org`;
const numberOf = (email: string): number => Number(/\d+/.exec(email)?.[0]);

async function mailReports(context: SuiteContext, stage: MailingStage): Promise<void> {
  const readers = Array.from({ length: context.quick ? 60 : 1_000 }, (_, number) => number);
  const ids = await subscribeAll(stage, readers);
  context.note(`${readers.length} subscribers have confirmed`);
  const faults = injectFaults(stage, context.quick ? 60 : 150);

  stage.setTime('2026-11-16T00:30:00.000Z');
  await stage.issue('daily', '2026-11-16');
  await stage.untilSettled();
  const afterFirst = await leave(stage, readers.filter(roles.leavesAfterFirst));

  const second = leaveWhileSending(stage, readers.filter(roles.leavesDuringSecond));
  stage.setTime('2026-11-16T02:30:00.000Z');
  await stage.issue('weekly', '2026-W46');
  await stage.untilSettled();
  const duringSecond = await second();

  stage.setTime('2026-11-17T00:30:00.000Z');
  await stage.issue('daily', '2026-11-17');
  await stage.untilSettled();
  faults.stop();

  await stateFigures(context, stage, { ids, faults, left: afterFirst + duringSecond });
}

/** Each subscribes, opens the link of the mail and confirms. Returns the subscriptions' ids by address. */
async function subscribeAll(
  stage: MailingStage,
  readers: readonly number[],
): Promise<ReadonlyMap<string, string>> {
  const { mailing } = stage;
  const choices = { daily: true, weekly: true };
  for (const number of readers)
    await requestSubscription(mailing, { email: emailOf(number), choices, language: 'en' });
  await stage.untilSettled();
  const ids = new Map<string, string>();
  for (const { to, token } of stage.arrived) {
    const saved = await saveSubscription(mailing, token, choices);
    if (saved !== null) ids.set(to, saved.id);
  }
  if (ids.size < readers.length) throw new Error(`${ids.size} of ${readers.length} got the mail to confirm`);
  return ids;
}

interface Faults {
  readonly kills: () => number;
  readonly triesOfRefused: ReadonlyMap<string, number>;
  readonly stop: () => void;
}

/** Kills a worker at every so many mails, by turns when one has arrived and when its recipient is named. */
function injectFaults(stage: MailingStage, mailsBetweenKills: number): Faults {
  let [kills, mails, stopped] = [0, 0, false];
  const kill = (): void => {
    if (stopped) return;
    // Both of them: whichever had the mail in hand is dead.
    for (const slot of [0, 1]) stage.workers.signal(slot, 'SIGKILL');
    kills += 2;
  };
  const triesOfRefused = new Map<string, number>();
  stage.onArrival = () => {
    mails += 1;
    if (mails % (2 * mailsBetweenKills) === mailsBetweenKills) kill();
  };
  stage.refusalOf = (recipient) => {
    if (mails > 0 && mails % (2 * mailsBetweenKills) === 0) {
      mails += 1;
      kill();
    }
    const number = numberOf(recipient);
    const tries = (triesOfRefused.get(recipient) ?? 0) + 1;
    if (roles.refusedForGood(number) || roles.refusedForNow(number)) triesOfRefused.set(recipient, tries);
    if (roles.refusedForGood(number)) return 550;
    return roles.refusedForNow(number) && tries === 1 ? 451 : null;
  };
  return {
    kills: () => kills,
    triesOfRefused,
    stop: () => {
      stopped = true;
    },
  };
}

/** By the link of the newest mail. */
async function leave({ mailing, arrived }: MailingStage, readers: readonly number[]): Promise<number> {
  for (const number of readers) {
    const { token = '' } = arrived.findLast(({ to }) => to === emailOf(number)) ?? {};
    await unsubscribe(mailing, token);
    if ((await openSubscription(mailing, token))?.state !== 'ended')
      throw new Error(`${number} has not left`);
  }
  return readers.length;
}

/** While others get the edition: it may reach them or not, the next one must not. */
function leaveWhileSending(stage: MailingStage, readers: readonly number[]): () => Promise<number> {
  const left = Promise.withResolvers<number>();
  const { onArrival } = stage;
  stage.onArrival = (mail) => {
    onArrival(mail);
    stage.onArrival = onArrival;
    leave(stage, readers).then(left.resolve, left.reject);
  };
  return () => left.promise;
}

const editions = ['daily 2026-11-16', 'weekly 2026-W46', 'daily 2026-11-17'] as const;

/** Whether an address was subscribed during the whole time in which an edition was made and sent. */
function isExpected(number: number, edition: number): boolean {
  if (edition > 0 && (roles.leavesAfterFirst(number) || roles.refusedForGood(number))) return false;
  return edition < 1 || !roles.leavesDuringSecond(number);
}

async function stateFigures(
  context: SuiteContext,
  { arrived, database }: MailingStage,
  evidence: { readonly ids: ReadonlyMap<string, string>; readonly faults: Faults; readonly left: number },
): Promise<void> {
  const { ids, faults, left } = evidence;
  const mails = await readUndelivered(database, 1_000_000);
  const listed = new Set(mails.map((mail) => `${mail.subscriptionId} ${mail.purpose} ${mail.period}`));
  const arrivals = Map.groupBy(arrived, ({ to, edition }) => `${to} ${edition}`);
  const counts = { due: 0, once: 0, twice: 0, lost: 0, afterLeaving: 0 };
  for (const [email, id] of ids) {
    for (const [at, edition] of editions.entries()) {
      const got = arrivals.get(`${email} ${edition}`)?.length ?? 0;
      if (got > 1) counts.twice += 1;
      const number = numberOf(email);
      const hasLeft =
        (at > 0 && roles.leavesAfterFirst(number)) || (at > 1 && roles.leavesDuringSecond(number));
      if (hasLeft) counts.afterLeaving += got;
      if (!isExpected(number, at)) continue;
      counts.due += 1;
      counts.once += got === 1 ? 1 : 0;
      if (got === 0 && !listed.has(`${id} ${edition}`)) counts.lost += 1;
    }
  }
  const doubtful = mails.filter(({ reason }) => reason === 'in_doubt').length;
  // Where the worker was killed before it could record the refusal, the mail is in doubt and the address is tried again.
  const inDoubt = new Set(
    mails.filter(({ reason }) => reason === 'in_doubt').map((mail) => mail.subscriptionId),
  );
  const triedAgain = [...faults.triesOfRefused].filter(
    ([email, tries]) =>
      roles.refusedForGood(numberOf(email)) && tries > 1 && !inDoubt.has(ids.get(email) ?? ''),
  ).length;
  const zero = { exactly: 0 } as const;
  context.figure({ name: 'subscribers', value: ids.size, unit: 'subscribers' });
  context.figure({ name: 'mails due', value: counts.due, unit: 'mails' });
  context.figure({ name: 'arrived once', value: counts.once, unit: 'mails' });
  context.figure({ name: 'workers killed', value: faults.kills(), unit: 'kills', goal: { atLeast: 4 } });
  context.figure({ name: 'reports that arrived twice', value: counts.twice, unit: 'mails', goal: zero });
  context.figure({ name: 'neither arrived nor listed', value: counts.lost, unit: 'mails', goal: zero });
  context.figure({
    name: 'listed as uncertain',
    value: doubtful,
    unit: 'mails',
    goal: { atMost: 4 * faults.kills() },
  });
  context.figure({ name: 'unsubscribed', value: left, unit: 'subscribers' });
  context.figure({
    name: 'reports after unsubscribing',
    value: counts.afterLeaving,
    unit: 'mails',
    goal: zero,
  });
  context.figure({
    name: 'addresses tried again after a recorded permanent refusal',
    value: triedAgain,
    unit: 'addresses',
    goal: zero,
  });
}
