-- Whether agents answer from files that the caller can read, and from which projects.
ALTER TABLE agents.agent
  ADD COLUMN reads_files boolean NOT NULL DEFAULT true,
  -- Null: all projects that the caller can read.
  ADD COLUMN file_projects uuid[];
ALTER TABLE agents.template ADD COLUMN reads_files boolean NOT NULL DEFAULT true;
GRANT UPDATE (reads_files, file_projects) ON agents.agent TO daybook_application;
