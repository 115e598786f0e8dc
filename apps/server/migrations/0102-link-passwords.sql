-- The password of a link, hashed like those of accounts. The secret of such a link is stored under another hash: processes of
-- an earlier release, which would not ask for the password, do not find it.
ALTER TABLE storage.link ADD COLUMN password_hash text;
