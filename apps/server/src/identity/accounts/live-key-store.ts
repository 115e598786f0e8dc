import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

/**
 * Of a column with the API key that created a row: whether the row has not ended with that key. True for a row that was
 * created without one. The time is the database's, so that all processes agree on it.
 */
export function isOfLiveKey(column: string): RawBuilder<boolean> {
  const keyId = sql.ref(column);
  return sql<boolean>`(${keyId} IS NULL OR EXISTS (
    SELECT FROM identity.api_key AS live_key WHERE live_key.id = ${keyId} AND live_key.revoked_at IS NULL
      AND (live_key.expires_at IS NULL OR live_key.expires_at > now())
  ))`;
}
