/** What a writer of the suite `log` is started with. */
export interface LogWriterDemand {
  readonly url: string;
  /** The lines of the key file. */
  readonly keys: string;
  readonly checkpointEverySeconds: number;
}

export const decisionTables = `
  CREATE SCHEMA log_proof;
  CREATE TABLE log_proof.decided (
    id bigint GENERATED ALWAYS AS IDENTITY, kind text, action text, subject text, began timestamptz);
  CREATE TABLE log_proof.returned (id bigint, at timestamptz DEFAULT clock_timestamp());
  GRANT USAGE ON SCHEMA log_proof TO daybook_application;
  GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA log_proof TO daybook_application;`;
