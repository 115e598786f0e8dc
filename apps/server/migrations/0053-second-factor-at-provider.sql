-- Whether a sign-in through a provider asks for a one-time code too.
ALTER TABLE identity.second_factor ADD COLUMN asks_at_provider boolean NOT NULL DEFAULT true;
GRANT UPDATE (asks_at_provider) ON identity.second_factor TO daybook_application;
