import type { Suite, SuiteContext } from '@daybook/evidence';

import { finishUploads } from '../../../apps/server/src/storage/uploads/finish-uploads.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { addGuest, organizationOf, signUp } from '../storage/access-askers.ts';
import { besiege } from '../storage/quota-siege.ts';

export const suite: Suite = {
  name: 'storage-quota',
  nightly: true,
  summary:
    'Concurrent uploads over three processes never exceed a quota, are never refused while space is left, and never keep an owner from storing a file.',
  promise:
    'Two hundred uploads reserve room at once over three api processes where there is room for some of them: never more is promised than there is, none is refused while room is left, and what is abandoned comes back. The attacker is a guest with a share for writing, who reserves as much as possible from three processes at once: never more than five percent of the quota, members can still reserve the rest, and the end of the share releases all of it. Then guests and members reserve all they can for five simulated days: the owner can store 100 KB at any time.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await openStorageStage(3);
    try {
      await fillAgainAndAgain(context, stage);
      await blockAsGuest(context, stage);
      await besiege(context, stage);
    } finally {
      await stage.stop();
    }
  },
};

const atOnce = 200;
const size = 1_000;

async function fillAgainAndAgain(context: SuiteContext, stage: StorageStage): Promise<void> {
  const projectId = await stage.newProject('quota');
  const { pool } = stage.superuser;
  await reserve(stage, projectId, 'first', 0);
  let [asked, over, wrongly, unexpected, left] = [0, 0, 0, 0, 0];
  for (let round = 0; round < (context.quick ? 2 : 30); round += 1) {
    const places = 37 + round * 5;
    // A little more than fits, so that an honest count of bytes and not of uploads decides.
    await pool.query('UPDATE storage.usage SET quota_bytes = $1', [places * size + 999]);
    const statuses = await Promise.all(
      Array.from({ length: atOnce }, (_, turn) => reserve(stage, projectId, `r${round} ${turn}`, size)),
    );
    asked += statuses.length;
    const admitted = statuses.filter((status) => status === 201).length;
    over += Math.max(0, admitted - places);
    wrongly += Math.max(0, places - admitted);
    unexpected += statuses.filter((status) => status !== 201 && status !== 409).length;
    await pool.query("UPDATE storage.upload SET expires_at = now() - interval '1 s' WHERE state = 'open'");
    await finishUploads(stage.upkeep);
    const { rows } = await pool.query<{ reserved: string }>(
      'SELECT sum(reserved_bytes)::text AS reserved FROM storage.usage',
    );
    left += Number(rows[0]?.reserved);
  }
  const exactly = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  context.figure({
    name: 'reservations asked for',
    value: asked,
    unit: 'reservations',
    goal: { atLeast: 400 },
  });
  exactly('beyond the quota', over, 'reservations');
  exactly('refused while room was left', wrongly, 'reservations');
  exactly('answered otherwise', unexpected, 'answers');
  exactly('still reserved after all were abandoned', left, 'bytes');
}

/** A guest tries to take all the space; a member then takes what the guest must have left. */
async function blockAsGuest(context: SuiteContext, stage: StorageStage): Promise<void> {
  const projectId = await stage.newProject('attacked');
  const guest = await signUp(stage);
  await addGuest(stage, await organizationOf(stage, stage.account.id), guest);
  const given = { member: guest.username, level: 'write' };
  const share = await stage.ask('POST', `/api/v1/projects/${projectId}/shares`, given);
  const places = 200;
  await stage.superuser.pool.query('UPDATE storage.usage SET quota_bytes = used_bytes + $1', [places * size]);
  const answers = await Promise.all(
    Array.from({ length: atOnce }, (_, turn) => {
      const { port = 0 } = stage.processes[turn % stage.processes.length] ?? {};
      const json = { projectId, name: `guest ${turn}`, size };
      return send(port, '/api/v1/uploads', { method: 'POST', headers: guest.bearer, json });
    }),
  );
  const taken = answers.filter((answer) => answer.status === 201).length;
  const status = await reserve(stage, projectId, 'rest', (places - taken) * size);
  const { id } = share.json<{ id: string }>();
  await stage.ask('DELETE', `/api/v1/shares/${id}`);
  const { rows } = await stage.superuser.pool.query<{ open: string }>(
    "SELECT count(*)::text AS open FROM storage.upload WHERE state = 'open' AND name LIKE 'guest %'",
  );
  const figure = (name: string, value: number, unit: string, exactly: number): void =>
    context.figure({ name, value, unit, goal: { exactly } });
  figure('reserved by an attacking guest', taken, 'reservations', places / 20);
  figure('status of a member who reserves the rest', status, 'status', 201);
  figure('uploads of the guest after the end of the share', Number(rows[0]?.open), 'uploads', 0);
}

async function reserve(stage: StorageStage, projectId: string, name: string, bytes: number): Promise<number> {
  return (await stage.ask('POST', '/api/v1/uploads', { projectId, name, size: bytes })).status;
}
