import { expect, test } from 'vitest';

import { statementName } from './trace-queries.ts';

test.each([
  ['/* prepared as items-page */ SELECT 1 FROM record.item', 'items-page'],
  ['select "id" from "record"."item" as "i" where "i"."id" = $1', 'select record.item'],
  ['\n  SELECT extract(epoch FROM i.at) FROM record.item i', 'select record.item'],
  ['INSERT INTO identity.account (email) VALUES ($1)', 'insert identity.account'],
  ['update "storage"."file" set "name" = $1', 'update storage.file'],
  ['DELETE FROM foundation.outbox', 'delete foundation.outbox'],
  ['WITH due AS (SELECT 1 FROM ingest.source) SELECT 2', 'with ingest.source'],
  [`SELECT 'nora@example.org'`, 'select'],
  ['BEGIN', 'begin'],
  ['commit', 'commit'],
  ['SET LOCAL statement_timeout = 5', 'set'],
  ['', 'query'],
])('names the statement %j %s', (text, name) => {
  expect(statementName(text)).toBe(name);
});
