-- outside a transaction
-- What happened in an organization, as lists page through it.
DROP INDEX CONCURRENTLY IF EXISTS audit.event_organization;
CREATE INDEX CONCURRENTLY event_organization ON audit.event (organization_id, at, id)
  WHERE organization_id IS NOT NULL;

-- By which refresh tokens that have expired are found and removed.
DROP INDEX CONCURRENTLY IF EXISTS identity.refresh_token_expires_at;
CREATE INDEX CONCURRENTLY refresh_token_expires_at ON identity.refresh_token (expires_at);
