import { canonicalJson } from '../../foundation/canonical-json.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { LogChange } from '../log/log-entry.ts';
import type { ItemFacts } from './item-body.ts';

/** The content of an item in the public log. Fields are added only with another version of log entries. */
export function loggedItem(item: ItemFacts) {
  return {
    id: item.id,
    title: item.title,
    originalTitle: item.originalTitle,
    language: item.language,
    summary: item.summary,
    source: { name: item.sourceName },
    links: { original: item.originalUrl },
    publishedAt: item.publishedAt === null ? null : isoMilliseconds(item.publishedAt),
    discoveredAt: isoMilliseconds(item.discoveredAt),
    revisedAt: item.revisedAt === null ? null : isoMilliseconds(item.revisedAt),
    category: item.category,
    score: item.score,
    selected: item.selected,
    reason: item.reason,
    textRemoved: item.textRemoved ?? false,
  };
}

export function itemPublished(item: ItemFacts): LogChange {
  return { kind: 'item', action: 'published', subject: item.id, body: loggedItem(item), isComposed: true };
}

/** None if the change is not public. */
export function itemRevised(before: ItemFacts, after: ItemFacts): readonly LogChange[] {
  const body = loggedItem(after);
  if (canonicalJson(body) === canonicalJson(loggedItem(before))) return [];
  return [{ kind: 'item', action: 'revised', subject: after.id, body, isComposed: true }];
}
