-- breaking
-- The audit log becomes a module of its own; `audit/README.md` says what it promises.
CREATE SCHEMA audit;
GRANT USAGE ON SCHEMA audit TO daybook_application;

ALTER TABLE identity.audit_event SET SCHEMA audit;
ALTER TABLE audit.audit_event RENAME TO event;
ALTER TABLE audit.event RENAME CONSTRAINT audit_event_pkey TO event_pkey;
ALTER INDEX audit.audit_event_account RENAME TO event_account;

-- The only way in which an event goes. The application chooses when, but never for events of the last 30 days: whoever
-- takes over its login cannot remove the traces of having done so. Ids are UUIDv7, so the primary key finds the oldest.
CREATE FUNCTION audit.remove_expired(before timestamptz, rows_max integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  WITH expiry AS (
    SELECT least(before, pg_catalog.now() - interval '30 days') AS at
  ), removed AS (
    DELETE FROM audit.event WHERE id IN (
      SELECT event.id FROM audit.event, expiry
      WHERE event.at < expiry.at AND event.id < pg_catalog.rpad(
        pg_catalog.lpad(pg_catalog.to_hex((extract(epoch FROM expiry.at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
      ORDER BY event.id LIMIT rows_max)
    RETURNING 1
  )
  SELECT count(*) FROM removed
$$;
REVOKE EXECUTE ON FUNCTION audit.remove_expired FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.remove_expired TO daybook_application;
