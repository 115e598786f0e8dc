-- Whether members need a second factor of their own before they can act in the organization.
ALTER TABLE identity.organization ADD COLUMN requires_second_factor boolean NOT NULL DEFAULT false;
