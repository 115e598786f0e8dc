import { pageLanguage, sayKnown } from '../../shell/words/say.ts';

/** Kinds whose words do not read as a label. */
const englishLabels: Readonly<Record<string, string>> = {
  account_joined_organization: 'Member joined',
  action_code_failed: 'Confirmation code failed',
  api_key_created: 'API key created',
  api_key_revoked: 'API key revoked',
  email_change_requested: 'E-mail address change requested',
  email_changed: 'E-mail address changed',
  email_restored: 'E-mail address restored',
  one_time_code_asked_for: 'One-time code requested',
  one_time_code_failed: 'One-time code failed',
  organization_second_factor_not_required: 'Two-factor authentication no longer required',
  organization_second_factor_required: 'Two-factor authentication required',
  password_switched_off: 'Password removed',
  recovery_codes_renewed: 'Recovery codes regenerated',
  sign_in_failed: 'Sign-in failed',
  sign_in_locked: 'Sign-in locked',
  sign_up_requested: 'Sign-up requested',
};

/** `member_role_changed` as “Member role changed”. */
export function eventWords(kind: string): string {
  const label = pageLanguage() === 'en' ? englishLabels[kind] : undefined;
  if (label !== undefined) return label;
  const words = kind.replaceAll('_', ' ');
  return sayKnown(words.charAt(0).toUpperCase() + words.slice(1));
}
