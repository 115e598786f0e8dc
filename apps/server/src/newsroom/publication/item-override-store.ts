import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';

/** What people decided about an item; rules leave it as it is and only propose. */
export interface ItemOverride {
  readonly keepsTitle: boolean;
  readonly keepsSummary: boolean;
  readonly keepsCategory: boolean;
  /** Null: rules decide. */
  readonly selection: 'selected' | 'unselected' | null;
  readonly proposedTitle: string | null;
  readonly proposedSummary: string | null;
}

export async function readItemOverride(
  database: Database | Transaction<DB>,
  itemId: Id<'item'>,
): Promise<ItemOverride | null> {
  const { rows } = await sql<ItemOverride>`
    SELECT keeps_title AS "keepsTitle", keeps_summary AS "keepsSummary", keeps_category AS "keepsCategory", selection,
      proposed_title AS "proposedTitle", proposed_summary AS "proposedSummary"
    FROM newsroom.item_override WHERE item_id = ${itemId}`.execute(database);
  return rows[0] ?? null;
}

/** A person selected or unselected the item; null returns the decision to the rules. Returns who decided before. */
export async function overrideSelection(
  transaction: Transaction<DB>,
  itemId: Id<'item'>,
  selection: ItemOverride['selection'],
): Promise<ItemOverride['selection']> {
  const { rows } = await sql<{ was: ItemOverride['selection'] }>`
    WITH former AS (SELECT selection FROM newsroom.item_override WHERE item_id = ${itemId})
    INSERT INTO newsroom.item_override (item_id, selection) VALUES (${itemId}, ${selection})
    ON CONFLICT (item_id) DO UPDATE SET selection = excluded.selection
    RETURNING (SELECT selection FROM former) AS was`.execute(transaction);
  return rows[0]?.was ?? null;
}

/** A person wrote these parts of the item; `false` returns a part to the rules. */
export async function overrideWords(
  transaction: Transaction<DB>,
  itemId: Id<'item'>,
  parts: Partial<Record<'title' | 'summary' | 'category', boolean>>,
): Promise<void> {
  const { title = null, summary = null, category = null } = parts;
  await sql`
    INSERT INTO newsroom.item_override AS override (item_id, keeps_title, keeps_summary, keeps_category)
    VALUES (${itemId}, coalesce(${title}, false), coalesce(${summary}, false), coalesce(${category}, false))
    ON CONFLICT (item_id) DO UPDATE SET
      keeps_title = coalesce(${title}, override.keeps_title),
      keeps_summary = coalesce(${summary}, override.keeps_summary),
      keeps_category = coalesce(${category}, override.keeps_category),
      proposed_title = CASE WHEN ${title}::boolean IS NULL THEN override.proposed_title END,
      proposed_summary = CASE WHEN ${summary}::boolean IS NULL THEN override.proposed_summary END`.execute(
    transaction,
  );
}

/** The rules' words for an item whose words a person wrote. */
export async function proposeWords(
  transaction: Transaction<DB>,
  itemId: Id<'item'>,
  { title, summary }: { readonly title: string; readonly summary: string },
): Promise<void> {
  await sql`
    UPDATE newsroom.item_override SET
      proposed_title = CASE WHEN keeps_title THEN ${title} END,
      proposed_summary = CASE WHEN keeps_summary THEN ${summary} END
    WHERE item_id = ${itemId}`.execute(transaction);
}
