/** What a session alone must not do, because it may be stolen; in words that complete “to …”. */
export const guardedActions = {
  add_passkey: 'add a passkey',
  change_email: 'change the e-mail address',
  switch_off_password: 'switch the password off',
  export_account: 'download the data of the account',
  delete_account: 'delete the account',
  link_provider: 'link a sign-in provider',
  unlink_provider: 'unlink a sign-in provider',
  create_api_key: 'create an API key',
  delete_organization: 'delete an organization',
  require_second_factor: 'require a second factor in an organization',
  stop_requiring_second_factor: 'stop requiring a second factor in an organization',
  end_everything: 'end everything that can act for the account',
} as const;

export type GuardedAction = keyof typeof guardedActions;

export const guardedActionNames = Object.keys(guardedActions) as readonly GuardedAction[];
