import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestOrganization } from '../../test/access.ts';
import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';
import { claimInTurn } from './claim-in-turn.ts';
import { claimDueContent } from './derived/derivation-store.ts';
import { claimDueBlob } from './inspection/inspection-store.ts';

let stage: TestStorage;
let other: TestOrganization;
beforeAll(async () => {
  stage = await startTestStorage();
  other = await stage.createOrganization();
});
afterAll(() => stage.stop());

async function projectOf(headers: Record<string, string>, files: number): Promise<string> {
  const created = await stage.send('POST', '/api/v1/projects', headers, { name: 'Texts' });
  const { id } = created.json() as unknown as { readonly id: string };
  for (let at = 0; at < files; at += 1) {
    const stored = await stage.store(id, `name=${at}.txt`, `text ${at} of ${id}`, headers);
    expect(stored.status).toBe(201);
  }
  return id;
}

/** The owners of all due work, in the order in which it is claimed. */
async function claimAll<Work, OwnerId extends string>(
  claim: (after: OwnerId | null) => Promise<Work | null>,
  ownerOf: (work: Work) => OwnerId,
): Promise<readonly string[]> {
  const owners: string[] = [];
  const next = claimInTurn(claim, ownerOf);
  for (let work = await next(); work !== null; work = await next()) owners.push(ownerOf(work));
  return owners;
}

/** Both have two pieces of work or more. */
function expectInTurn(owners: readonly string[], both: readonly [string, string]): void {
  for (const pair of [owners.slice(0, 2), owners.slice(2, 4)]) expect(new Set(pair)).toEqual(new Set(both));
}

test('many new files of one project or organization delay those of another by one file at most', async () => {
  const { access, acme } = stage;
  const { database } = access;
  const claim = { now: access.clock.now(), leaseMs: 60_000 };
  const many = await projectOf(stage.owner, 5);
  const few = await projectOf(other.owner.headers, 2);
  const projects = await claimAll(
    (after: Parameters<typeof claimDueBlob>[1]['after']) => claimDueBlob(database, { ...claim, after }),
    ({ projectId }) => projectId,
  );
  expect(projects).toHaveLength(7);
  expectInTurn(projects, [many, few]);

  await stage.database.asSuperuser("UPDATE storage.blob SET inspection_due_at = '2000-01-01'");
  await stage.inspectAll();
  const organizations = await claimAll(
    (after: Parameters<typeof claimDueContent>[1]['after']) => claimDueContent(database, { ...claim, after }),
    ({ organizationId }) => organizationId,
  );
  expect(organizations).toHaveLength(7);
  expectInTurn(organizations, [acme.id, other.id]);
});
