import { afterAll, beforeAll, expect, test } from 'vitest';

import { credentialKinds } from '../src/wiring/credential-kinds.ts';
import type { TestDatabase } from './database.ts';
import { createTestDatabase } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Columns that refer to an account without granting a right to act for it. */
const exempt: Readonly<Record<string, string>> = {
  'access.group_user.account_id':
    'Membership of a group, which other members gave; leaving the organization ends it.',
  'access.share.account_id': 'Something that others gave to the account.',
  'agents.agent.created_by': 'Who made an agent. It acts for those who ask it.',
  'agents.agent_version.made_by': 'Who changed the settings of an agent. A version grants nothing.',
  'agents.answer.account_id': 'Who asked. An answer is read with a credential of the account.',
  'agents.model_call.account_id': 'Who asked a question that a model answered.',
  'audit.event.account_id': 'What happened.',
  'identity.account_deletion.account_id': 'That the account is to be deleted.',
  'identity.account_picture.account_id': 'A picture.',
  'identity.organization_deletion.requested_by': 'Who requested the deletion of an organization.',
  'identity.organization_membership.account_id': 'Membership, which other members gave and can end.',
  'identity.workspace_membership.account_id': 'Membership, which other members gave and can end.',
  'identity.invitation.accepted_by': 'Who accepted an invitation.',
  'newsroom.desk_presence.account_id': 'Who has a page of the desk open.',
  'newsroom.journal_entry.account_id': 'Who decided.',
  'storage.person_usage.account_id': 'How much the account stores.',
  'storage.entry.created_by': 'Who made a folder or file. Who may read it follows the project.',
  'storage.project.created_by': 'Who made a project. Who may read it follows permissions.',
  'storage.upload.created_by': 'An upload goes on only with a credential of the account.',
  'watch.mail.account_id': 'Mail to the address of the account; its link only ends such mail.',
  'watch.saved_search.account_id': 'What an account searches for.',
  'storage.version.created_by': 'Who wrote a version. Who may read it follows the project.',
};

test('every column that refers to an account belongs to a kind of credential, or has a reason not to', async () => {
  const rows = await database.asSuperuser(`
    SELECT DISTINCT namespace.nspname || '.' || class.relname || '.' || attribute.attname AS name
    FROM pg_attribute AS attribute
    JOIN pg_class AS class ON class.oid = attribute.attrelid AND class.relkind IN ('r', 'p') AND NOT class.relispartition
    JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
    WHERE namespace.nspname NOT IN ('pg_catalog', 'information_schema', 'dbos') AND NOT attribute.attisdropped
      AND (attribute.attname IN ('account_id', 'created_by', 'invited_by', 'owner_id', 'creator_id')
        OR EXISTS (SELECT FROM pg_constraint AS reference WHERE reference.contype = 'f'
          AND reference.conrelid = class.oid AND reference.confrelid = 'identity.account'::regclass
          AND attribute.attnum = ANY (reference.conkey)))`);
  const named = new Set(rows.map(({ name }) => String(name)));
  const covered = new Set([...credentialKinds.flatMap(({ columns }) => columns), ...Object.keys(exempt)]);
  expect([...named].filter((name) => !covered.has(name))).toEqual([]);
  expect([...covered].filter((name) => !named.has(name))).toEqual([]);
});

test('sessions end last, so that no other credential can open a new one', () => {
  expect(credentialKinds.at(-1)?.name).toBe('sessions');
});
