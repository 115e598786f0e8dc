import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { extractArticle } from '../extract/extract-article.ts';
import type { ArticleOutcome } from '../fetch/fetch-article.ts';
import { fetchArticle } from '../fetch/fetch-article.ts';
import type { EntryPage } from '../land/entry-store.ts';
import { savePage } from '../land/entry-store.ts';
import { markEntryWithdrawn } from '../land/left-entry-store.ts';
import type { DomainLease } from '../leases/domain-lease-store.ts';
import { renewLease } from '../leases/domain-lease-store.ts';
import type { RequestTurns } from '../leases/request-turns.ts';
import type { PollDeps, Poller } from './poll-source.ts';
import { LeaseLost } from './poll-source.ts';

/**
 * Reads the page of an article where its publisher lets machines read it, and publishes the entry, with its own text
 * or, where there is none to be had, with the feed's. An entry that has left its list is withdrawn where its page is
 * gone, and nothing of the page is kept. `deferred`: the page leads to a domain that is being asked.
 */
export async function readPage(
  deps: PollDeps,
  poller: Poller,
  lease: DomainLease,
  turns: RequestTurns,
  page: EntryPage,
): Promise<'read' | 'deferred'> {
  const outcome = await fetchArticle(deps, page.url, {
    signal: poller.signal,
    beforeRequest: (url) => turns.before(url, page.spacingMs ?? deps.pace.spacingMs),
  });
  turns.answered();
  if (outcome.kind === 'deferred') return 'deferred';
  if (outcome.kind === 'stopped' || (outcome.kind === 'failed' && outcome.reason === 'cancelled'))
    throw new LeaseLost();
  const article = page.hasLeft ? null : articleOf(outcome, page);
  const isGone = outcome.kind === 'refused' && outcome.status === 410;
  await poller.transaction(async (transaction: Transaction<DB>) => {
    if (!(await renewLease(transaction, lease, deps.leaseMs))) throw new LeaseLost();
    if (page.hasLeft && isGone) await markEntryWithdrawn(transaction, page.id, deps.clock.now());
    else await savePage(transaction, page, article);
  });
  return 'read';
}

/** Null: the feed's own text stands. */
function articleOf(
  outcome: ArticleOutcome,
  page: EntryPage,
): { readonly text: string; readonly language: string | null } | null {
  if (outcome.kind !== 'page') return null;
  const extracted = extractArticle(outcome.html, outcome.document.url, page.language);
  return extracted.ok && extracted.value.text.length > page.textChars ? extracted.value : null;
}
