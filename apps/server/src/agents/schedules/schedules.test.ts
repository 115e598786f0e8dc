import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import { createRecordFactory } from '../../../test/factories/record-factory.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import { startMailbox } from '../../../test/mailbox.ts';
import { openTokenDesk } from '../../../test/platform-tokens.ts';
import { scheduleDepsOf } from '../../../test/schedules.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import { createSmtpSender } from '../../foundation/mail/smtp-sender.ts';
import type { PerformDeps } from './perform-run.ts';
import { performRun } from './perform-run.ts';
import { claimRun, insertDueRuns, saveUpload } from './run-store.ts';
import { scheduleWork } from './schedule-work.ts';

const question = "What was Veltrane's third-quarter revenue?";
let stage: TestStorage;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let deps: PerformDeps;
let sweeps: readonly Sweep[];
let member: TestMember;
let agentId: string;
let projectId: string;

beforeAll(async () => {
  [stage, mailbox] = await Promise.all([startTestStorage(), startMailbox()]);
  deps = scheduleDepsOf(stage);
  const sendMail = createSmtpSender({ url: mailbox.url, from: 'Daybook <daybook@example.com>' });
  sweeps = scheduleWork({ ...scheduleDepsOf(stage), sendMail }).sweeps ?? [];
  stage.clock.set('2026-11-19T07:30:00.000Z');
  const factory = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  await factory.publishSelected({
    title: 'Veltrane reports third-quarter results',
    summary: 'Veltrane reported third-quarter revenue of $4.2 billion on Thursday. It_is *not* <markup>.',
  });
});
afterAll(() => Promise.all([stage.stop(), mailbox.stop()]));
beforeEach(async () => {
  member = await stage.acme.addMember('member');
  const made = await send('POST', 'mentor-with-settings/', {
    template_name: 'desk-researcher',
    new_mentor_name: `Briefer ${member.username}`,
  });
  agentId = String(made.json()['unique_id']);
  const created = await stage.send('POST', '/api/v1/projects', await signedIn(stage.acme.owner), {
    name: `For ${member.username}`,
  });
  projectId = String(created.json()['id']);
  await stage.database.asSuperuser('DELETE FROM agents.schedule');
});

/** Again each time: the clock moves beyond the end of sessions. */
async function signedIn(who: TestMember): Promise<TestMember['headers']> {
  const { access_token } = await stage.signIn(who);
  return { authorization: `Bearer ${access_token}` };
}
async function send(method: string, path: string, json?: unknown, who = member): Promise<Answer> {
  const address = `/dm/api/ai-mentor/orgs/${stage.acme.key}/users/${who.username}/${path}`;
  return stage.send(method, address, await signedIn(who), json);
}
const schedule = (more: object = {}, who = member): Promise<Answer> =>
  send(
    'POST',
    'agent-schedules/',
    {
      agent: agentId,
      name: 'Morning briefing',
      question,
      repeats: 'daily',
      hour: 9,
      time_zone: 'Europe/Berlin',
      deliver_to: 'mail',
      ...more,
    },
    who,
  );
const scheduled = async (more: object = {}): Promise<string> => {
  const answer = await schedule(more);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(answer.json()['id']);
};
const read = async (id: string, who = member): Promise<Record<string, unknown>> =>
  (await send('GET', `agent-schedules/${id}/`, undefined, who)).json();
const remove = (id: string): Promise<Answer> => send('DELETE', `agent-schedules/${id}/`);
const contextOf = (epoch: number): SweepContext => ({
  epoch,
  transaction: (work) => stage.database.database.transaction().execute((transaction) => work(transaction)),
  enqueue: () => Promise.reject(new Error('nothing is enqueued')),
  signal: new AbortController().signal,
});
/** As workers do; those of an epoch without an executor have ended. */
async function work(epoch = 1): Promise<void> {
  for (const sweep of sweeps) await sweep.run(contextOf(epoch));
}
const nextDay = (): void => stage.clock.advance({ hours: 24 });
const mailsTo = ({ email }: TestMember) => mailbox.received.filter(({ to }) => to.includes(email));
const filesOf = (project: string) =>
  stage.database.asSuperuser(
    "SELECT id, name FROM storage.entry WHERE project_id = $1 AND kind = 'file' ORDER BY created_at",
    [project],
  );

describe('a scheduled question', () => {
  test('is mailed at its hour, once, with numbered sources', async () => {
    const id = await scheduled();
    expect((await read(id))['next_run_at']).toBe('2026-11-19T08:00:00.000Z');
    await work();
    expect(mailsTo(member)).toEqual([]);
    stage.clock.set('2026-11-19T08:00:00.000Z');
    await Promise.all([work(1), work(1)]);
    await work();
    const [mail, ...more] = mailsTo(member);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Morning briefing 2026-11-19');
    expect(mail?.body).toContain('third-quarter revenue of $4.2 billion on Thursday. [1]');
    expect(mail?.body).toContain('[1] Veltrane reports third-quarter results (The Wire)');
    const { last_run: run, ...rest } = await read(id);
    expect(rest['next_run_at']).toBe('2026-11-20T08:00:00.000Z');
    expect(run).toMatchObject({ state: 'delivered', due_at: '2026-11-19T08:00:00.000Z', problem: null });
    const { answer } = run as { readonly answer: string };
    const stored = await send('GET', `mentors/${agentId}/answers/${answer}/`);
    expect(stored.json()).toMatchObject({ question, answered: true });
    await remove(id);
  });

  test('is written as a Markdown file, in which quoted text is no markup', async () => {
    const id = await scheduled({ deliver_to: 'project', project: projectId, name: 'Veltrane/weekly' });
    nextDay();
    await work();
    const [file] = await filesOf(projectId);
    expect(file?.['name']).toMatch(/^Veltrane-weekly 2026-11-\d\d\.md$/u);
    const { text } = await stage.contentOf(file?.['id'], await signedIn(stage.acme.owner));
    expect(text).toContain('third-quarter revenue of \\$4.2 billion on Thursday. \\[1\\]');
    expect(text).not.toMatch(/(?<!\\)[*<]markup/u);
    expect(text).toMatch(/^1\. \[Veltrane reports third-quarter results \(The Wire\)\]\(<https:/mu);
    expect((await read(id))['last_run']).toMatchObject({ state: 'delivered', file: file?.['id'] });
    await remove(id);
  });

  test('runs at once for its member, at most once a minute, beside its due times', async () => {
    const id = await scheduled();
    const { next_run_at: next } = await read(id);
    const run = (who = member): Promise<Answer> => send('POST', `agent-schedules/${id}/run/`, undefined, who);
    const other = await stage.acme.addMember('member');
    expectProblem(await run(other), 404, 'not_found');
    const answers = await Promise.all([run(), run(), run()]);
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([202, 409, 409]);
    await work();
    expectProblem(await run(), 409, 'conflict');
    expect(await read(id)).toMatchObject({ next_run_at: next, last_run: { state: 'delivered' } });
    stage.clock.advance({ minutes: 2 });
    expect((await run()).status).toBe(202);
    await work();
    expect(mailsTo(member)).toHaveLength(2);
    await remove(id);
  });

  test('runs once for all due times that no worker was there for', async () => {
    const id = await scheduled();
    stage.clock.advance({ hours: 24 * 5 });
    await work();
    await work();
    expect(mailsTo(member)).toHaveLength(1);
    await remove(id);
  });

  test('ends with its member: no run after its deletion', async () => {
    const id = await scheduled();
    expect((await remove(id)).status).toBe(204);
    expectProblem(await send('GET', `agent-schedules/${id}/`), 404, 'not_found');
    nextDay();
    await work();
    expect(mailsTo(member)).toEqual([]);
  });
});

describe('a worker that is killed', () => {
  const killed = 7;
  const claim = () =>
    stage.database.database.transaction().execute(async (transaction) => {
      await insertDueRuns(transaction, () => deps.ids.next(), deps.clock.now(), 10);
      return claimRun(transaction, { epoch: killed, now: deps.clock.now() });
    });

  test('between claim and completion leaves the run to another, and nothing happens twice', async () => {
    const id = await scheduled({ deliver_to: 'project', project: projectId });
    nextDay();
    const run = await claim();
    if (run === null) throw new Error('no run is due');
    const { transaction, signal } = contextOf(killed);
    const outcome = await performRun(deps, run, {
      signal,
      saveUpload: async (uploadId) => {
        await transaction((trx) => saveUpload(trx, run, uploadId));
      },
    });
    expect(outcome.state).toBe('delivered');
    expect((await read(id))['last_run']).toMatchObject({ state: 'running' });
    await work(8);
    const files = await filesOf(projectId);
    expect(files).toHaveLength(1);
    expect((await read(id))['last_run']).toMatchObject({ state: 'delivered', file: files[0]?.['id'] });
    const answers = await stage.database.asSuperuser('SELECT id FROM agents.answer WHERE agent_id = $1', [
      agentId,
    ]);
    expect(answers).toHaveLength(1);
    await remove(id);
  });

  test('before the bytes of the file arrived leaves no second file', async () => {
    const id = await scheduled({ deliver_to: 'project', project: projectId });
    nextDay();
    const run = await claim();
    if (run === null) throw new Error('no run is due');
    const { transaction, signal } = contextOf(killed);
    const saved = performRun(deps, run, {
      signal,
      saveUpload: async (uploadId) => {
        await transaction((trx) => saveUpload(trx, run, uploadId));
        throw new Error('killed');
      },
    });
    expect((await saved).state).toBe('waiting');
    await work(8);
    expect(await filesOf(projectId)).toHaveLength(1);
    const open = await stage.database.asSuperuser(
      "SELECT id FROM storage.upload WHERE project_id = $1 AND state = 'open'",
      [projectId],
    );
    expect(open).toEqual([]);
    await remove(id);
  });

  test('while it sends the mail leaves it undelivered, not sent twice', async () => {
    const id = await scheduled();
    nextDay();
    const [runs, mails] = sweeps;
    await runs?.run(contextOf(1));
    await stage.database.asSuperuser(
      "UPDATE agents.schedule_mail SET state = 'sending', claimed_by = 7 WHERE state = 'waiting'",
    );
    await mails?.run(contextOf(8));
    expect(mailsTo(member)).toEqual([]);
    const [mail] = await stage.database.asSuperuser(
      "SELECT state, reason FROM agents.schedule_mail WHERE state <> 'sent'",
    );
    expect(mail).toEqual({ state: 'undelivered', reason: 'in_doubt' });
    await remove(id);
  });
});

describe('a schedule stops, with its reason, when', () => {
  const stopReasonOf = async (id: string): Promise<unknown> => {
    const rows = await stage.database.asSuperuser(
      'SELECT stop_reason, next_run_at FROM agents.schedule WHERE id = $1',
      [id],
    );
    expect(rows[0]?.['next_run_at']).toBeNull();
    return rows[0]?.['stop_reason'];
  };

  test('its member leaves between two runs', async () => {
    const id = await scheduled();
    nextDay();
    await work();
    expect(mailsTo(member)).toHaveLength(1);
    await stage.database.asSuperuser(
      'DELETE FROM identity.organization_membership WHERE account_id = $1 AND organization_id = $2',
      [member.id, stage.acme.id],
    );
    stage.clock.advance({ hours: 24 });
    await work();
    expect(await stopReasonOf(id)).toBe('member_left');
    stage.clock.advance({ hours: 24 });
    await work();
    expect(mailsTo(member)).toHaveLength(1);
  });

  test.each([
    ['its member becomes a viewer', 'viewer', 'permission_lost'],
    ['its member becomes a guest', 'guest', 'permission_lost'],
  ])('%s', async (_, role, reason) => {
    const id = await scheduled();
    await stage.database.asSuperuser(
      'UPDATE identity.organization_membership SET role = $3 WHERE account_id = $1 AND organization_id = $2',
      [member.id, stage.acme.id, role],
    );
    nextDay();
    await work();
    expect(await stopReasonOf(id)).toBe(reason);
    expect(mailsTo(member)).toEqual([]);
  });

  test('its agent is deleted, which the list of schedules shows', async () => {
    const id = await scheduled();
    await send('DELETE', `mentors/${agentId}/`);
    nextDay();
    await work();
    expect(await stopReasonOf(id)).toBe('agent_deleted');
    const list = (await send('GET', 'agent-schedules/')).json() as unknown as object[];
    expect(list).toMatchObject([{ id, stop_reason: 'agent_deleted', next_run_at: null }]);
  });

  test('its project is deleted', async () => {
    const id = await scheduled({ deliver_to: 'project', project: projectId });
    await stage.send('DELETE', `/api/v1/projects/${projectId}`, await signedIn(stage.acme.owner));
    nextDay();
    await work();
    expect(await stopReasonOf(id)).toBe('project_deleted');
  });
});

describe('scheduling is refused', () => {
  test('with 400 for a time zone, weekday or destination that is not one', async () => {
    for (const wrong of [
      { time_zone: 'Mars/Olympus' },
      { time_zone: '+08:00' },
      { repeats: 'weekly' },
      { weekday: 3 },
      { deliver_to: 'project' },
      { project: projectId },
      { hour: 24 },
      { name: ' ' },
    ])
      expectProblem(await schedule(wrong), 400, 'invalid_request');
  });

  test('with 403 for a viewer, and for a credential with fewer permissions than the member', async () => {
    const viewer = await stage.acme.addMember('viewer');
    expectProblem(await schedule({}, viewer), 403, 'forbidden');
    const { acme } = stage;
    const owner = { ...acme.owner, headers: await signedIn(acme.owner) };
    const desk = openTokenDesk(stage, { ...acme, owner });
    const policy = await desk.policy(['Daybook.Agents/*/*'], ['/**']);
    const limits = { mode: 'token_policies', policies_to_add: [policy] };
    const { headers } = await desk.made(owner, limits);
    const path = `/dm/api/ai-mentor/orgs/${acme.key}/users/${owner.username}/agent-schedules/`;
    const body = { agent: agentId, name: 'Briefing', question, repeats: 'daily', hour: 9, time_zone: 'UTC' };
    const refused = await stage.send('POST', path, headers, { ...body, deliver_to: 'mail' });
    expectProblem(refused, 403, 'forbidden');
    expect(refused.text).toContain('this credential has fewer');
  });

  test('with 403 for a schedule of another member, also by an owner', async () => {
    const path = `/dm/api/ai-mentor/orgs/${stage.acme.key}/users/${member.username}/agent-schedules/`;
    const body = { agent: agentId, name: 'Briefing', question, repeats: 'daily', hour: 9, time_zone: 'UTC' };
    const asked = { ...body, deliver_to: 'mail' };
    expectProblem(await stage.send('POST', path, await signedIn(stage.acme.owner), asked), 403, 'forbidden');
  });

  test('with 404 for a project of another organization', async () => {
    const other = await stage.createOrganization();
    const made = await stage.send('POST', '/api/v1/projects', other.owner.headers, { name: 'Theirs' });
    expectProblem(await schedule({ deliver_to: 'project', project: made.json()['id'] }), 404, 'not_found');
  });

  test('with 409 beyond twenty schedules of a member', async () => {
    const ids: string[] = [];
    for (let one = 0; one < 20; one += 1) ids.push(await scheduled({ name: `Briefing ${one}` }));
    expectProblem(await schedule(), 409, 'conflict');
    for (const id of ids) await remove(id);
  });
});

describe('a scheduled question to a correction watcher', () => {
  test('lists each correction in one run, and says when there is none', async () => {
    const factory = createRecordFactory({ database: stage.database.database, clock: stage.clock });
    const runDay = async (): Promise<void> => {
      nextDay();
      await work();
      await work();
    };
    const withdraw = async (reason: string): Promise<void> => {
      const itemId = await factory.publish({ title: 'Corvid is sold' });
      await factory.publisher.withdrawItem({ itemId, reason });
    };
    await send('PATCH', `mentors/${agentId}/settings/`, { template_name: 'correction-watcher' });
    await scheduled({ question: 'What was withdrawn?', hour: 3, time_zone: 'UTC' });
    await withdraw('The first was wrong.');
    await runDay();
    stage.clock.advance({ minutes: 5 });
    await withdraw('The second was wrong.');
    await runDay();
    await runDay();
    const [first = '', second = '', third = ''] = mailsTo(member).map(({ body }) => body);
    expect([first.includes('The first was wrong.'), first.includes('sold')]).toEqual([true, false]);
    expect([second.includes('The first'), second.includes('The second was wrong.')]).toEqual([false, true]);
    expect(third).toContain('No matching corrections or withdrawals since the last answer.');
  });
});
