import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { Random } from '../permissions/policy-draw.ts';
import type { StageOrganization } from './access-askers.ts';
import { addGuest, addMember, givePolicies, signUp } from './access-askers.ts';
import type { Asker } from './access-checks.ts';
import { drawPolicies } from './access-draw.ts';
import { AccessOracle } from './access-oracle.ts';
import type { Receiver } from './access-shares.ts';
import type { AccessTree } from './access-tree.ts';

export function ownerOf(stage: StorageStage, tree: AccessTree, key: string): Asker {
  const resources = [`/organizations/${key}`, `/organizations/${key}/**`];
  const oracle = new AccessOracle(tree, key, [{ actions: ['Daybook.**'], resources }]);
  return { name: 'owner', credentials: [stage.headers], oracle };
}

/** A guest with some policies and three credentials, or a stranger. */
export async function addReceiver(
  stage: StorageStage,
  organization: StageOrganization,
  tree: AccessTree,
  random: Random,
  { hasPolicies, isGuest } = { hasPolicies: true, isGuest: true },
): Promise<Receiver> {
  const person = await signUp(stage);
  if (isGuest) await addGuest(stage, organization, person);
  const policies = hasPolicies ? drawPolicies(random, tree, organization.key) : [];
  const group = isGuest ? await givePolicies(stage, organization, person, policies) : 0;
  const limited = isGuest ? [await person.apiKey([organization.id])] : [];
  const credentials = [person.bearer, await person.apiKey(), ...limited];
  const oracle = new AccessOracle(tree, organization.key, policies);
  return { name: person.username, credentials, oracle, person, group };
}

/** As the role says, written out here a second time. */
export async function memberOf(
  stage: StorageStage,
  organization: StageOrganization,
  tree: AccessTree,
): Promise<Asker> {
  const person = await signUp(stage);
  await addMember(stage, organization, person, 'member');
  const actions = ['read', 'create', 'update', 'delete'].map((verb) => `Daybook.Storage/*/${verb}`);
  const policies = [{ actions, resources: [`/organizations/${organization.key}/**`] }];
  const oracle = new AccessOracle(tree, organization.key, policies);
  return { name: person.username, credentials: [person.bearer, await person.apiKey()], oracle };
}
