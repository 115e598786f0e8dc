import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import type { TestDesk } from '../../../test/desk.ts';
import { startTestDesk } from '../../../test/desk.ts';
import { valueOf } from '../../../test/factories/record-factory.ts';
import { untilWaiting } from '../../../test/waiting-session.ts';
import { callers } from '../../access/index.ts';
import { deskActions, deskPresets } from './desk-actions.ts';

let desks: TestDesk;
let stage: TestDesk['stage'];
let newsroom: TestDesk['newsroom'];
let record: TestDesk['record'];
beforeAll(async () => {
  desks = await startTestDesk();
  ({ stage, newsroom, record } = desks);
});
afterAll(() => stage.stop());
beforeEach(() => stage.age());

describe('ownership', () => {
  test('admits members of the newsroom’s organization, and gives owners of others the 404 of a stranger', async () => {
    expect((await desks.enter(await desks.sessionOf(newsroom.owner))).organization.key).toBe(newsroom.key);
    const other = await stage.createOrganization();
    const hidden = callers.notFoundOrHidden().message;
    await expect(desks.enter(await desks.sessionOf(other.owner))).rejects.toThrow(hidden);
    await expect(desks.enter(await desks.sessionOf(newsroom.owner), 'no-such-key')).rejects.toThrow(hidden);
  });

  test('ignores policies that another organization has on resources of the newsroom', async () => {
    const other = await stage.createOrganization();
    const at = `/organizations/${newsroom.key}/newsroom/**`;
    const answer = await stage.send('POST', '/dm/api/core/rbac/policies/', other.owner.headers, {
      platform_key: other.key,
      name: 'theirs',
      actions: ['Daybook.Newsroom/*/*'],
      resources: [at],
    });
    expect(answer.status).toBe(400);
    await expect(desks.enter(await desks.sessionOf(other.owner))).rejects.toThrow('not_found');
  });

  test('hides the desk from guests and from credentials of programs', async () => {
    const guest = await newsroom.addMember('guest');
    await expect(desks.enter(await desks.sessionOf(guest))).rejects.toThrow('not_found');
    const owner = await desks.sessionOf(newsroom.owner);
    const key = { kind: 'api_key', keyId: 'k', organizations: null, limit: null } as const;
    await expect(desks.enter({ ...owner, credential: key })).rejects.toThrow('not_found');
  });

  test('refuses a decision of an editor who lost the permission after opening the page', async () => {
    const editor = await newsroom.addMember('admin');
    const desk = await desks.deskOf(editor);
    const itemId = await record.publish();
    await stage.database.asSuperuser(
      `UPDATE identity.organization_membership SET role = 'viewer' WHERE account_id = $1`,
      [editor.id],
    );
    await expect(desk.selectItem({ itemId, reason: 'It matters.' })).rejects.toThrow('forbidden');
    expect(await desks.journalOf(itemId)).toEqual([]);
  });
});

describe('a decision that waits for another one', () => {
  /** Selects an item while another transaction locks it, and changes something meanwhile. */
  async function selectWhile(change: (editor: TestMember) => Promise<unknown>): Promise<readonly unknown[]> {
    const editor = await newsroom.addMember('admin');
    const desk = await desks.deskOf(editor);
    const itemId = await record.publish();
    const { database } = stage.database;
    const waiting: Promise<unknown>[] = [];
    await database.transaction().execute(async (transaction) => {
      await transaction.selectFrom('record.item').select('id').where('id', '=', itemId).forUpdate().execute();
      waiting.push(desk.selectItem({ itemId, reason: 'It matters.' }).then(String, String));
      await untilWaiting(stage.database, 'record');
      await change(editor);
    });
    return [...(await Promise.all(waiting)), ...(await desks.journalOf(itemId))];
  }

  test('is refused if its editor lost the role meanwhile', async () => {
    const lost = await selectWhile(({ id }) =>
      stage.database.asSuperuser(
        `UPDATE identity.organization_membership SET role = 'viewer' WHERE account_id = $1`,
        [id],
      ),
    );
    expect(lost).toEqual([expect.stringContaining('forbidden')]);
  });

  test('is refused if the session of its editor ended meanwhile', async () => {
    const ended = await selectWhile(({ id }) =>
      stage.database.asSuperuser(
        `UPDATE identity.session SET revoked_at = now(), revoked_because = 'signed_out' WHERE account_id = $1`,
        [id],
      ),
    );
    expect(ended).toEqual([expect.stringContaining('not_found')]);
  });
});

describe('ready-made policies', () => {
  test('include each other, and only the chief editor withdraws', async () => {
    const [reporter, editor, chief] = deskPresets.map(({ actions }) => new Set(actions));
    expect(reporter?.isSubsetOf(editor ?? new Set())).toBe(true);
    expect(editor?.isSubsetOf(chief ?? new Set())).toBe(true);
    const all = Object.values(deskActions).flatMap((of) => Object.values(of).map(({ text }) => text));
    expect([...(chief ?? [])].sort()).toEqual(all.sort());
  });

  test('allow a reporter to rewrite, an editor to select, and a chief editor to withdraw', async () => {
    const [reporter, editor, chief] = [
      await desks.deskOf(await desks.addMemberWith('reporter')),
      await desks.deskOf(await desks.addMemberWith('editor')),
      await desks.deskOf(await desks.addMemberWith('chief-editor')),
    ];
    const itemId = await record.publish();
    const recategorize = {
      itemId,
      changes: { category: 'industry' as const },
      reason: 'It is about a company.',
    };
    valueOf(await reporter.correctItem(recategorize));
    await expect(reporter.selectItem({ itemId, reason: 'It matters.' })).rejects.toThrow('forbidden');
    valueOf(await editor.selectItem({ itemId, reason: 'It matters.' }));
    await expect(editor.withdrawItem({ itemId, reason: 'Wrong.' })).rejects.toThrow('forbidden');
    valueOf(await chief.withdrawItem({ itemId, reason: 'Wrong.' }));
  });
});
