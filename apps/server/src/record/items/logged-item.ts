import type { JsonValue } from '../../foundation/canonical-json.ts';
import { canonicalJson } from '../../foundation/canonical-json.ts';
import { toTimestamptzOrNull } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { FormerValues, LogChange } from '../log/log-entry.ts';
import type { ItemFacts } from './item-body.ts';

export interface LoggedItem extends ItemFacts {
  readonly storyId: Id<'story'> | null;
}

/** The content of an item in the public log. Fields are added only with another version of log entries. */
export function loggedItem(item: LoggedItem) {
  return {
    id: item.id,
    title: item.title,
    originalTitle: item.originalTitle,
    language: item.language,
    summary: item.summary,
    source: { name: item.sourceName },
    links: { original: item.originalUrl },
    story: item.storyId,
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

/** The columns of `record.item` whose values are public and may change. */
function publicColumns(item: LoggedItem) {
  return {
    title: item.title,
    original_title: item.originalTitle,
    language: item.language,
    summary: item.summary,
    category: item.category,
    original_url: item.originalUrl,
    published_at: toTimestamptzOrNull(item.publishedAt),
    revised_at: toTimestamptzOrNull(item.revisedAt),
    score: item.score,
    selected: item.selected,
    reason: item.reason,
    text_removed: item.textRemoved ?? false,
    story_id: item.storyId,
  } satisfies Record<string, JsonValue>;
}

/** Columns with words of an item: a correction of one of them erases the earlier values of all. */
export const wordColumns: readonly (keyof ReturnType<typeof publicColumns>)[] = [
  'title',
  'original_title',
  'summary',
  'original_url',
  'reason',
];

export function itemPublished(item: LoggedItem): LogChange {
  return { kind: 'item', action: 'published', subject: item.id, body: loggedItem(item) };
}

/** None if the change is not public. */
export function itemRevised(before: LoggedItem, after: LoggedItem): readonly LogChange[] {
  const body = loggedItem(after);
  if (canonicalJson(body) === canonicalJson(loggedItem(before))) return [];
  const was = differing(publicColumns(before), publicColumns(after));
  return [{ kind: 'item', action: 'revised', subject: after.id, body, was }];
}

/** The columns that a revision changes. */
export function revisedColumns(before: LoggedItem, after: LoggedItem): readonly string[] {
  return Object.keys(differing(publicColumns(before), publicColumns(after)));
}

function differing<Columns extends Record<string, JsonValue>>(before: Columns, after: Columns): FormerValues {
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => value !== after[name]));
}
