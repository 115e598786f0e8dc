/** Actions that a session alone must not perform, because it may be stolen; as text that completes “to …”. */
export const guardedActions = {
  add_passkey: 'add a passkey',
  change_email: 'change your e-mail address',
  switch_off_password: 'remove your password',
  export_account: 'download your account data',
  delete_account: 'delete your account',
  link_provider: 'link a sign-in provider',
  unlink_provider: 'unlink a sign-in provider',
  create_api_key: 'create an API key',
  delete_organization: 'delete an organization',
  require_second_factor: 'require two-factor authentication in an organization',
  stop_requiring_second_factor: 'stop requiring two-factor authentication in an organization',
  end_everything: 'revoke all access to your account',
} as const;

export type GuardedAction = keyof typeof guardedActions;

export const guardedActionNames = Object.keys(guardedActions) as readonly GuardedAction[];
