import { shanghaiDateOf } from '../../foundation/calendar/shanghai-time.ts';
import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds, hourMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import type { OutboxDeps } from '../../foundation/mail/outbox.ts';
import { createOutboxSweep } from '../../foundation/mail/outbox.ts';
import type { MailToSend } from '../../foundation/mail/smtp-sender.ts';
import type { MatchedItemsDeps } from '../searches/matched-items.ts';
import { readMatchedItems } from '../searches/matched-items.ts';
import type { SavedSearchDeps } from '../searches/save-search.ts';
import { endMailOf } from '../searches/saved-search-store.ts';
import type { MailedSearch } from './compose-watch-mail.ts';
import { composeWatchMail } from './compose-watch-mail.ts';
import type { ClaimedWatchMail, MailPeriod } from './watch-mail-store.ts';
import {
  cancelEndedMail,
  claimWatchMail,
  findMailByToken,
  insertMailPeriods,
  insertNextMails,
  selectMailedMatches,
  settleWatchMail,
  watchMailLimits,
} from './watch-mail-store.ts';

export type WatchMailDeps = OutboxDeps & MatchedItemsDeps;

const accountsAtOnce = 500;
/** Of one search in a mail. */
const itemsShownMax = 20;

/** Inserts a mail for each account with new matches once an hour or a day, and sends it at most once. */
export function createWatchMailSweep(deps: WatchMailDeps): Sweep {
  return createOutboxSweep(deps, {
    ...watchMailLimits,
    name: 'send-watch-mail',
    everySeconds: 5,
    prepare: (context) => prepare(deps, context),
    claim: claimWatchMail,
    compose: (mail) => compose(deps, mail),
    settle: async (transaction, mail, outcome) => {
      if (outcome.state === 'undelivered' && outcome.reason === 'address_refused')
        await endMailOf(transaction, mail.accountId, mail.frequency, outcome.at);
      await settleWatchMail(transaction, mail, outcome);
    },
  });
}

async function prepare({ clock }: WatchMailDeps, context: SweepContext): Promise<void> {
  const now = clock.now();
  await context.transaction(async (transaction) => {
    await insertMailPeriods(transaction, periodsAt(now), now);
    await cancelEndedMail(transaction, now);
  });
  const isMore = (): Promise<boolean> =>
    context.transaction((transaction) => insertNextMails(transaction, accountsAtOnce, now));
  while (!context.signal.aborted && (await isMore()));
}

/** A day begins with the daily report, at 08:00 in Shanghai. What matched before a period began is mailed in it. */
const dayBeginsAfter = 8n * hourMicroseconds;

/** The hour and the day of a time. */
export function periodsAt(now: EpochMicroseconds): readonly MailPeriod[] {
  return [
    { frequency: 'hourly', period: isoMilliseconds(now).slice(0, 13) },
    { frequency: 'daily', period: shanghaiDateOf(epochMicroseconds(now - dayBeginsAfter)) },
  ];
}

/** Null if everything in it was withdrawn meanwhile. */
async function compose(deps: WatchMailDeps, mail: ClaimedWatchMail): Promise<MailToSend | null> {
  const matches = await selectMailedMatches(deps.database, mail.id);
  const searches = new Map<string, MailedSearch>();
  for (const { searchId: id, name, item } of await readMatchedItems(deps, matches, mail.wording)) {
    const search = searches.get(id) ?? { id, name, items: [], more: 0 };
    const isShown = search.items.length < itemsShownMax;
    searches.set(id, {
      ...search,
      items: isShown ? [...search.items, item] : search.items,
      more: search.more + (isShown ? 0 : 1),
    });
  }
  if (searches.size === 0) return null;
  return {
    to: mail.email,
    messageId: `<${mail.id}@${new URL(deps.baseUrl).hostname}>`,
    ...composeWatchMail(deps, { ...mail, searches: [...searches.values()] }),
  };
}

/** Null for an unknown link. */
export async function isWatchMailWanted(
  { database }: Pick<SavedSearchDeps, 'database'>,
  token: string,
): Promise<boolean | null> {
  return (await findMailByToken(database, token))?.isWanted ?? null;
}

/** Ends the mail of a link for all searches of the account with its frequency; idempotent. False for an unknown link. */
export async function unsubscribeFromWatchMail(
  { database, clock }: Pick<SavedSearchDeps, 'database' | 'clock'>,
  token: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const found = await findMailByToken(transaction, token);
    if (found === null) return false;
    const now = clock.now();
    await endMailOf(transaction, found.accountId, found.frequency, now);
    await cancelEndedMail(transaction, now);
    return true;
  });
}
