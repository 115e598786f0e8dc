import { callers } from '../src/access/index.ts';
import { authorizeDesk, personDecider } from '../src/newsroom/desk/authorize-desk.ts';
import { deskPresets } from '../src/newsroom/desk/desk-actions.ts';
import { createEditorDesk } from '../src/newsroom/desk/editor-desk.ts';
import { listJournal } from '../src/newsroom/desk/journal-store.ts';
import type { TestMember } from './access.ts';
import { startTestAccess } from './access.ts';
import { createRecordFactory } from './factories/record-factory.ts';

export type TestDesk = Awaited<ReturnType<typeof startTestDesk>>;

/** An organization that owns the newsroom, and the desk of each of its members. */
export async function startTestDesk() {
  const stage = await startTestAccess();
  const newsroom = await stage.createOrganization();
  const record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  /** With the newest session of the account. */
  const sessionOf = async (who: TestMember): Promise<callers.Caller> => {
    const [session] = await stage.database.asSuperuser(
      'SELECT id FROM identity.session WHERE account_id = $1 ORDER BY id DESC LIMIT 1',
      [who.id],
    );
    return callers.callerOfAccount(who, String(session?.['id']));
  };
  const enter = (caller: callers.Caller, organization = newsroom.key) =>
    authorizeDesk({ access: stage.access, organization }, caller);
  return {
    stage,
    newsroom,
    record,
    sessionOf,
    enter,
    deskOf: async (who: TestMember) => {
      const actor = await enter(await sessionOf(who));
      return createEditorDesk({
        database: stage.database.database,
        clock: stage.clock,
        publisher: record.publisher,
        language: 'en',
        decider: personDecider(stage, actor),
      });
    },
    /** A guest whose only permissions are those of a ready-made policy, through a group. */
    addMemberWith: async (preset: string): Promise<TestMember> => {
      const member = await newsroom.addMember('guest');
      const { actions = [] } = deskPresets.find(({ id }) => id === preset) ?? {};
      const at = `/organizations/${newsroom.key}/newsroom`;
      const named = { platform_key: newsroom.key, name: `${preset} ${member.username}` };
      const policy = await stage.send('POST', '/dm/api/core/rbac/policies/', newsroom.owner.headers, {
        ...named,
        actions,
        resources: [at, `${at}/**`],
      });
      await stage.send('POST', '/dm/api/core/rbac/groups/', newsroom.owner.headers, {
        ...named,
        users_to_add: [member.username],
        policies_to_add: [policy.json()['id']],
      });
      stage.age();
      return member;
    },
    journalOf: (subject: string) => listJournal(stage.database.database, { subject, countMax: 50 }),
  };
}
