import type { SuiteContext } from '@daybook/evidence';

import { finishUploads } from '../../../apps/server/src/storage/uploads/finish-uploads.ts';
import { releaseIdleSpace } from '../../../apps/server/src/storage/uploads/reservations.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { StagePerson } from './access-askers.ts';
import { addGuest, organizationOf, signUp } from './access-askers.ts';

/** In bytes: the owner's file must fit into five percent. */
const quota = 10_000_000;
const ownersFile = Buffer.alloc(100_000, 'o');
const days = 5;

interface Siege {
  readonly stage: StorageStage;
  readonly projectId: string;
  readonly attackers: readonly StagePerson[];
  readonly shareIds: readonly string[];
}

/** Guests and members reserve all they can for five simulated days, while the owner stores a file again and again. */
export async function besiege(context: SuiteContext, stage: StorageStage): Promise<void> {
  const siege = await prepare(stage, context.quick ? 3 : 6);
  const stepMinutes = context.quick ? 360 : 30;
  let [asked, refused, over, wrong] = [0, 0, 0, 0];
  for (let minute = 0; minute < days * 24 * 60; minute += stepMinutes) {
    for (const round of [0, 1]) {
      const statuses = await attack(siege, `${minute} ${round}`);
      asked += statuses.length;
      wrong += statuses.filter((status) => status !== 201 && status !== 409).length;
      if (!(await ownerStores(siege, `${minute} ${round}`))) refused += 1;
      over += Math.max(0, (await takenBytes(stage)) - quota);
      // The worker runs only in every second round: the owner must not depend on it.
      if (round === 0) {
        await finishUploads(stage.upkeep);
        await releaseIdleSpace(stage.upkeep);
      }
    }
    await passTime(stage, stepMinutes);
  }
  const open = await endShares(siege);
  const figure = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  context.figure({
    name: 'reservations of guests and members in five days',
    value: asked,
    unit: 'reservations',
    goal: { atLeast: 1_000 },
  });
  figure('files of the owner refused meanwhile', refused, 'files');
  figure('bytes over the quota meanwhile', over, 'bytes');
  figure('reservations answered otherwise', wrong, 'answers');
  figure('uploads of guests after the end of their shares', open, 'uploads');
}

async function prepare(stage: StorageStage, ofEach: number): Promise<Siege> {
  const projectId = await stage.newProject('besieged');
  const organization = await organizationOf(stage, stage.account.id);
  const attackers: StagePerson[] = [];
  const shareIds: string[] = [];
  for (let turn = 0; turn < ofEach * 2; turn += 1) {
    const person = await signUp(stage);
    await addGuest(stage, organization, person);
    attackers.push(person);
    if (turn < ofEach) {
      const given = { member: person.username, level: 'write' };
      const share = await stage.ask('POST', `/api/v1/projects/${projectId}/shares`, given);
      shareIds.push(share.json<{ id: string }>().id);
      continue;
    }
    await stage.superuser.pool.query(
      "UPDATE identity.organization_membership SET role = 'member' WHERE account_id = $1 AND organization_id = $2",
      [person.id, organization.id],
    );
  }
  await stage.superuser.pool.query('UPDATE storage.usage SET quota_bytes = $1', [quota]);
  return { stage, projectId, attackers, shareIds };
}

/** Each attacker asks for every size at once, from all processes. */
async function attack({ stage, projectId, attackers }: Siege, name: string): Promise<readonly number[]> {
  const sizes = [quota, quota / 2, quota / 4, quota / 20, quota / 100, 1_000];
  const answers = attackers.flatMap((person, place) =>
    sizes.map(async (size, turn) => {
      const { port = 0 } = stage.processes[(place + turn) % stage.processes.length] ?? {};
      const json = { projectId, name: `${name} ${place} ${turn}`, size };
      return (await send(port, '/api/v1/uploads', { method: 'POST', headers: person.bearer, json })).status;
    }),
  );
  return Promise.all(answers);
}

/** Stores, deletes and purges: the owner's own files must not fill the quota. */
async function ownerStores({ stage, projectId }: Siege, name: string): Promise<boolean> {
  const { port = 0 } = stage.processes[0] ?? {};
  const path = `/api/v1/projects/${projectId}/files?name=${encodeURIComponent(`owner ${name}`)}`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...stage.headers, 'content-type': 'application/octet-stream' },
    body: ownersFile,
  });
  const file = (await answer.json()) as { readonly id: string };
  if (answer.status !== 201) return false;
  await stage.ask('DELETE', `/api/v1/files/${file.id}`);
  await stage.ask('POST', `/api/v1/files/${file.id}/purge`);
  return true;
}

async function takenBytes({ superuser }: StorageStage): Promise<number> {
  const { rows } = await superuser.pool.query<{ taken: string }>(
    'SELECT max(used_bytes + reserved_bytes)::text AS taken FROM storage.usage',
  );
  return Number(rows[0]?.taken);
}

/** Moves the times of open uploads into the past, as if the processes had waited. */
async function passTime({ superuser }: StorageStage, minutes: number): Promise<void> {
  await superuser.pool.query(
    `UPDATE storage.upload SET created_at = created_at - passed, active_at = active_at - passed,
       expires_at = expires_at - passed
     FROM (SELECT $1 * interval '1 minute' AS passed) AS time WHERE state = 'open'`,
    [minutes],
  );
}

/** Returns the uploads of the guests that are still open. */
async function endShares({ stage, attackers, shareIds }: Siege): Promise<number> {
  for (const id of shareIds) await stage.ask('DELETE', `/api/v1/shares/${id}`);
  const { rows } = await stage.superuser.pool.query<{ open: string }>(
    "SELECT count(*)::text AS open FROM storage.upload WHERE state = 'open' AND created_by = ANY ($1)",
    [attackers.slice(0, shareIds.length).map(({ id }) => id)],
  );
  return Number(rows[0]?.open);
}
