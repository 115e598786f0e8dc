import { callers, permissions, platformTokens, policies } from '../../../access/index.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import { say } from '../../shell/words/say.ts';
import { isPickedByArea } from './area-fields.ts';
import type { PlatformPlace, changeOf } from './platform-frame.ts';
import { callerOfVisitor } from './platform-frame.ts';
import type { Picked } from './policy-picker.ts';
import { pickedText } from './policy-picker.ts';
import { numbersOf, relationChange } from './relation-fields.ts';
import type { NewTokenFilled } from './token-fields.ts';
import { reportOfToken } from './token-fields.ts';

type NewToken = Parameters<typeof platformTokens.createPlatformToken>[1]['token'];

const hasJobs = (picked: Picked): boolean =>
  (picked.jobs !== undefined && picked.jobs.length > 0) || isPickedByArea(picked);

/** Refuses a token without permissions, and one with all permissions beside a choice. */
export function requireChoice(filled: NewTokenFilled): void {
  const isOwner = filled.mode === 'owner';
  const isChosen =
    hasJobs(filled) || [filled.policies, filled.groups].some((sent) => (sent ?? []).length > 0);
  if (isOwner && hasJobs(filled))
    throw invalidField(
      'jobs',
      say(
        'This token has all permissions of its creator. Clear the selected permissions, or choose “Only the permissions selected here”',
      ),
    );
  if (!isOwner && !isChosen)
    throw invalidField(
      'jobs',
      say('Select at least one permission, policy or group, or grant all permissions'),
    );
}

/** Preview of the token. */
export async function previewOfToken(place: PlatformPlace, filled: NewTokenFilled): Promise<string> {
  const { tools, visitor, org } = place;
  const caller = callerOfVisitor(visitor);
  if (filled.mode === 'owner') {
    const { authority } = await callers.authorizeOrganization(tools.access, caller, org);
    return reportOfToken(place, authority, { isOwn: false });
  }
  const ids = numbersOf(relationChange(filled.policies, filled.policies_before).add);
  const attached =
    ids.length === 0 ? [] : await policies.readPolicies(tools.access, caller, { platformKey: org, ids });
  const picked = hasJobs(filled) ? [(await pickedText(place, filled, 'token')).written] : [];
  const parsed = [...attached, ...picked].map((written) => permissions.parsePolicy(written, org));
  const authority = permissions.compileAuthority(parsed.flatMap((one) => (one.ok ? [one.value] : [])));
  return reportOfToken(place, authority, { isOwn: true });
}

/** The choice becomes a policy of the token, which is deleted with it. */
export async function createTokenWithJobs(
  place: PlatformPlace,
  change: ReturnType<typeof changeOf>,
  token: NewToken,
  picked: Picked,
): ReturnType<typeof platformTokens.createPlatformToken> {
  const ownPolicy = hasJobs(picked) ? (await pickedText(place, picked, 'token')).written : undefined;
  return platformTokens.createPlatformToken(place.tools.access, {
    ...change,
    token,
    ...(ownPolicy !== undefined && { ownPolicy }),
  });
}
