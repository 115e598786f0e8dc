-- outside a transaction
ALTER TABLE identity.mail_request VALIDATE CONSTRAINT mail_request_state;
ALTER TABLE identity.mail_request VALIDATE CONSTRAINT mail_request_reason;
DROP INDEX CONCURRENTLY IF EXISTS identity.mail_request_due;
CREATE INDEX CONCURRENTLY mail_request_due ON identity.mail_request (due_at, id) WHERE state = 'waiting';
DROP INDEX CONCURRENTLY IF EXISTS identity.mail_request_sending;
CREATE INDEX CONCURRENTLY mail_request_sending ON identity.mail_request (claimed_by) WHERE state = 'sending';
DROP INDEX CONCURRENTLY IF EXISTS identity.mail_request_undelivered;
CREATE INDEX CONCURRENTLY mail_request_undelivered ON identity.mail_request (settled_at) WHERE state = 'undelivered';
