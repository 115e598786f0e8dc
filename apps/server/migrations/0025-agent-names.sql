-- An agent is known by its name, whatever its case, width and blanks; slugs of different names are told apart by a suffix.
CREATE UNIQUE INDEX agent_organization_id_name ON agents.agent
  (organization_id, lower(regexp_replace(btrim(normalize(name, NFKC)), '\s+', ' ', 'g')));
GRANT DELETE ON agents.agent TO daybook_application;
