-- How a source behind a password is asked: the Authorization header, sealed with the installation's secret key.
ALTER TABLE newsroom.source ADD COLUMN authorization_sealed bytea CHECK (octet_length(authorization_sealed) <= 5000);
