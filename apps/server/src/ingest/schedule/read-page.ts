import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { blocksOf } from '../boilerplate/blocks.ts';
import { saveBlocks } from '../boilerplate/source-block-store.ts';
import { extractArticle } from '../extract/extract-article.ts';
import { headlineOf } from '../extract/headline.ts';
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
 * Fetches the page of an article if the crawl policy allows it, and makes the entry ready for publication: with the text of
 * the page or, without an article, with the text of the feed. An entry that is missing from its list is withdrawn if its page
 * is gone; nothing of that page is stored. `deferred`: the page redirects to a domain that another process has leased.
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
    if (article !== null) await saveBlocks(transaction, page.id, blocksOf(article.text), deps.clock.now());
  });
  return 'read';
}

/** Null: the text of the feed stays. */
function articleOf(
  outcome: ArticleOutcome,
  page: EntryPage,
): { readonly title: string; readonly text: string; readonly language: string | null } | null {
  if (outcome.kind !== 'page') return null;
  const extracted = extractArticle(outcome.html, outcome.document.url, page.language);
  if (!extracted.ok || extracted.value.text.length <= page.textChars) return null;
  const { text, language, names } = extracted.value;
  return { title: headlineOf(page.title, names), text, language };
}
