-- When a platform token was last used, to the minute.
ALTER TABLE access.platform_token ADD COLUMN last_used_at timestamptz;
GRANT UPDATE (last_used_at) ON access.platform_token TO daybook_application;
