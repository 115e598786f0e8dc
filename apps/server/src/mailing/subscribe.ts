import { invalidField } from '../foundation/http/http-problems.ts';
import type { Surface } from '../foundation/http/surface.ts';
import { requireEmailAddress } from '../foundation/mail/email-address.ts';
import type { RecipientDeps } from '../foundation/mail/mail-limits.ts';
import { admitRecipient } from '../foundation/mail/mail-limits.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { cancelWaiting, insertConfirmation } from './delivery-store.ts';
import type { ErrorReportDeps } from './error-reports/report-error.ts';
import type { Choices, MailedKind, Subscription } from './subscription-store.ts';
import { endSubscription, findByToken, saveChoices, upsertRequest } from './subscription-store.ts';

/** The dependencies of pages for subscriptions and error reports. */
export interface Mailing extends RecipientDeps, ErrorReportDeps {
  /** Whether an address of editors is configured. */
  readonly errorReports: boolean;
  /** For forms that send mail. */
  readonly mailSurface: Surface;
}

export const mailedKinds: readonly MailedKind[] = ['daily', 'weekly'];

/**
 * Sends a link to confirm or to manage a subscription. The response reveals nothing about the address: it is the
 * same for all addresses, and so are the limits.
 */
export async function requestSubscription(
  deps: Mailing,
  request: {
    readonly email: string;
    readonly choices: Choices;
    readonly language: ReaderLanguage;
  },
): Promise<void> {
  const { database, clock, ids } = deps;
  const { choices, language } = request;
  const email = requireEmailAddress(request.email);
  requireChoice(choices);
  await admitRecipient(deps, email);
  await database.transaction().execute(async (transaction) => {
    const now = clock.now();
    const id = await upsertRequest(transaction, { id: ids.next(), email, language, choices, now });
    await insertConfirmation(transaction, { id: ids.next(), subscriptionId: id, now });
  });
}

/** The subscription of a link; null for an unknown link. */
export function openSubscription({ database }: Mailing, token: string): Promise<Subscription | null> {
  return findByToken(database, token);
}

/** Confirms, or changes the chosen editions and their language. Null if the link has expired. */
export async function saveSubscription(
  { database, clock }: Mailing,
  token: string,
  choices: Choices,
  chosen?: ReaderLanguage,
): Promise<Subscription | null> {
  requireChoice(choices);
  return database.transaction().execute(async (transaction) => {
    const found = await findByToken(transaction, token);
    if (found === null) return null;
    const language = chosen ?? found.language;
    const isSaved = await saveChoices(transaction, found.id, { ...choices, language }, clock.now());
    if (!isSaved) return null;
    const unwanted = mailedKinds.filter((kind) => !choices[kind]);
    await cancelWaiting(transaction, found.id, unwanted, clock.now());
    return { ...found, choices, language, state: 'active' };
  });
}

/** Ends it; idempotent. False for an unknown link. */
export async function unsubscribe({ database, clock }: Mailing, token: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const found = await findByToken(transaction, token);
    if (found === null) return false;
    await endSubscription(transaction, found.id, 'unsubscribed', clock.now());
    await cancelWaiting(transaction, found.id, ['confirm', ...mailedKinds], clock.now());
    return true;
  });
}

function requireChoice({ daily, weekly }: Choices): void {
  if (!daily && !weekly) throw invalidField('reports', 'requires at least one report');
}
