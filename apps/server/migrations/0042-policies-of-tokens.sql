-- Of a policy that was made together with a token: it is deleted with the token, unless a group or another token uses
-- it by then, and is a policy like any other from then on.
ALTER TABLE access.policy
  ADD COLUMN made_for_token uuid,
  ADD FOREIGN KEY (organization_id, made_for_token) REFERENCES access.platform_token (organization_id, id)
    ON DELETE SET NULL (made_for_token);
CREATE INDEX policy_made_for_token ON access.policy (organization_id, made_for_token) WHERE made_for_token IS NOT NULL;
