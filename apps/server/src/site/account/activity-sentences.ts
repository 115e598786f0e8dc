import type { useCases } from '../../identity/index.ts';

type Detail = Readonly<Record<string, unknown>>;
type Sentence = string | ((detail: Detail) => string);

const signedInWith: Readonly<Record<string, string>> = {
  password: 'Signed in with the password.',
  openid: 'Signed in through an external identity.',
  exchange_code: 'A program on your computer signed in.',
  sign_up: 'Signed in by confirming the e-mail address.',
  invitation: 'Signed in through an invitation.',
};
const endedBecause: Readonly<Record<string, string>> = {
  signed_out: 'Signed out.',
  revoked_by_owner: 'You ended a session.',
  refresh_token_reused: 'A session was ended because an old token of it was used.',
  exchange_code_reused: 'A session was ended because its sign-in code was used twice.',
  password_changed: 'A session was ended because the password changed.',
};

/** Every kind that is written down has one. */
const sentences: Readonly<Record<useCases.AuditKind, Sentence>> = {
  account_created: 'The account was made.',
  account_joined_organization: (detail) => `You joined an organization as ${word(detail, 'role')}.`,
  account_unlocked: 'An operator opened sign-in with the password again.',
  agent_changed: 'You changed an agent.',
  agent_created: 'You made an agent.',
  api_key_created: (detail) => `You made the API key “${word(detail, 'name')}”.`,
  api_key_revoked: 'You revoked an API key.',
  exchange_code_created: 'You let a program on your computer in.',
  exchange_code_reused: 'A sign-in code of a program was used twice.',
  member_invited: (detail) => `You invited somebody as ${word(detail, 'role')}.`,
  password_changed: 'The password was changed.',
  password_reset_requested: 'Somebody asked for a link to set a new password.',
  refresh_token_reused: 'An old token of a program was used again; it may have been stolen.',
  session_opened: (detail) => signedInWith[word(detail, 'method')] ?? 'Signed in.',
  session_revoked: (detail) => endedBecause[word(detail, 'reason')] ?? 'A session was ended.',
  sign_in_failed: 'A sign-in failed: the password was wrong.',
  sign_in_locked: 'A sign-in was refused: too many had failed before.',
  sign_up_requested: 'Somebody tried to sign up with your e-mail address.',
  external_identity_linked: 'You linked an external identity.',
  external_identity_refused: 'A sign-in through an external identity was refused.',
  external_identity_unlinked: 'You unlinked an external identity.',
  group_created: 'You made a group.',
  group_deleted: 'You removed a group.',
  group_updated: 'You changed a group.',
  member_role_changed: 'You changed the role of a member.',
  platform_token_created: 'You made a platform token.',
  platform_token_deleted: 'You removed a platform token.',
  platform_token_updated: 'You changed a platform token.',
  policy_created: 'You made a policy.',
  policy_deleted: 'You removed a policy.',
  policy_updated: 'You changed a policy.',
  signing_key_rotated: 'The key that signs access tokens was changed.',
};

function word(detail: Detail, name: string): string {
  const value = detail[name];
  return typeof value === 'string' ? value : '';
}

/** What happened, for the person it happened to. A kind without a sentence is shown as it is written down. */
export function activitySentence({ kind, detail }: Pick<useCases.AuditRecord, 'kind' | 'detail'>): string {
  const sentence = Object.hasOwn(sentences, kind) ? sentences[kind as useCases.AuditKind] : undefined;
  if (sentence === undefined) return `${kind.replaceAll('_', ' ')}.`;
  if (typeof sentence === 'string') return sentence;
  return sentence(typeof detail === 'object' && detail !== null ? (detail as Detail) : {});
}
