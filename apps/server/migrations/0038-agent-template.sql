-- The template of an agent can be changed.
GRANT UPDATE (template_name, reads_public_record) ON agents.agent TO daybook_application;
