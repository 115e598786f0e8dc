-- The API key that created a private feed address or a webhook, with which it ends; not a reference, for keys are deleted
-- with their account.
ALTER TABLE watch.feed_address ADD COLUMN via_key_id uuid;
ALTER TABLE watch.webhook ADD COLUMN via_key_id uuid;
