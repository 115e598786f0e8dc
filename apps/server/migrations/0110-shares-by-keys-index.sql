-- outside a transaction
-- Those of an organization are counted with every reading of a member's permissions.
DROP INDEX CONCURRENTLY IF EXISTS access.share_via_key;
CREATE INDEX CONCURRENTLY share_via_key ON access.share (organization_id, via_key_id) WHERE via_key_id IS NOT NULL;
