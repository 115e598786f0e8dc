-- Answers repeat it where it was sent.
ALTER TABLE access.platform_token ADD COLUMN expires_in text;
