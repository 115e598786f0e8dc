-- What limits an API key: null for everything that its account may do, "read_only", or a list of { actions, resources }.
ALTER TABLE identity.api_key ADD COLUMN permissions jsonb
  CHECK (permissions = '"read_only"' OR (jsonb_typeof(permissions) = 'array' AND jsonb_array_length(permissions) > 0));
