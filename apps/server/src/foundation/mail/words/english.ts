const reviewAccess = `

Review and revoke access on your security page: {securityUrl}

If you did not do this, revoke the access there and set a new password: {forgotUrl}
`;

/** Every text of the mails. `{name}` is replaced by a value. */
export const englishMail = {
  accounts: {
    confirm_sign_up: {
      subject: 'Confirm your e-mail address',
      text: 'To create your Daybook account, confirm this e-mail address within 24 hours:\n{link}\n\nIf you did not sign up, ignore this e-mail. No account is created.\n',
    },
    account_exists: {
      subject: 'You already have an account',
      text: 'A sign-up for Daybook used this e-mail address, but an account with this address already exists.\n\nSign in: {signInUrl}\nReset your password: {forgotUrl}\n',
    },
    reset_password: {
      subject: 'Set a new password',
      text: 'To set a new password for your Daybook account, open this link. It works once and expires after one hour:\n{link}\n\nIf you did not request this, ignore this e-mail. Your password does not change.\n',
    },
    password_changed: {
      subject: 'Your password was changed',
      text: 'The password of your Daybook account was changed, and all other sessions were signed out.\n\nIf you did not do this, set a new password now: {forgotUrl}\n',
    },
    sign_in_changed: {
      subject: 'Your sign-in settings were changed',
      text: 'The sign-in settings of your Daybook account were changed. Review the credentials with access to your account: {securityUrl}\n\nIf you did not do this, set a new password now: {forgotUrl}\n',
    },
    confirm_email: {
      subject: 'Confirm your new e-mail address',
      text: 'To use this e-mail address for your Daybook account, confirm it within 24 hours while you are signed in:\n{link}\n\nIf you did not request this, ignore this e-mail. Nothing changes.\n',
    },
    email_taken: {
      subject: 'Your e-mail address is already in use',
      text: 'Another Daybook account requested a change to this e-mail address, which your account already uses. Nothing was changed.\n\nSign in: {signInUrl}\n',
    },
    undo_email: {
      subject: 'Your e-mail address was changed',
      text: 'The e-mail address of your Daybook account was changed. You can no longer sign in with this address.\n\nIf you did not do this, undo the change within 7 days. This revokes all access to the account. You then set a new password:\n{link}\n',
    },
    confirm_action: {
      subject: 'Your code is {code}',
      text: 'Enter this code to {action}:\n\n{code}\n\nThe code works once and expires after 10 minutes. It is valid only in the browser that requested it.\n\nIf you did not request this, do not share the code. Sign out unknown sessions: {securityUrl}\n',
    },
    passkey_added: {
      subject: 'A passkey was added to your account',
      text: `A passkey was added to your Daybook account. It can be used to sign in.${reviewAccess}`,
    },
    provider_linked: {
      subject: 'A sign-in provider was linked to your account',
      text: `A sign-in provider was linked to your Daybook account. It can be used to sign in.${reviewAccess}`,
    },
    api_key_created: {
      subject: 'An API key was created for your account',
      text: `An API key was created for your Daybook account. Programs with this key can access your account.${reviewAccess}`,
    },
    platform_token_created: {
      subject: 'A platform token was created by your account',
      text: `Your Daybook account created a platform token. Programs with this token can access your organization.${reviewAccess}`,
    },
    signed_in_from_new_place: {
      subject: 'New sign-in to your account',
      text: `A new sign-in to your Daybook account came from a browser and network that were not used in the last 30 days.${reviewAccess}`,
    },
    deletion_requested: {
      subject: 'Your account will be deleted',
      text: 'You requested the deletion of your Daybook account. All access is revoked, including passkeys and sign-in providers. The account, and organizations without other members, will be deleted in 30 days.\n\nTo cancel the deletion, sign in with your password before then: {signInUrl}\nIf you have no password, set one first: {forgotUrl}\n\nIf you did not request this, also set a new password: {forgotUrl}\n',
    },
    deletion_cancelled: {
      subject: 'Account deletion cancelled',
      text: 'A sign-in cancelled the deletion of your Daybook account. API keys and tokens that were revoked are not restored.\n\nTo delete the account, request it again: {deleteUrl}\n\nIf you did not sign in, set a new password now: {forgotUrl}\n',
    },
    account_deleted: {
      subject: 'Your account was deleted',
      text: 'Your Daybook account, and organizations without other members, were deleted after 30 days. This is the last e-mail. Your address is no longer stored.\n',
    },
    organization_deletion_requested: {
      subject: 'The organization {organization} will be deleted',
      text: 'An owner of the organization {organization} on Daybook requested its deletion. Access for members, tokens, shares and links is disabled. In 30 days the organization and its files are deleted permanently.\n\nAs an owner, you can restore the organization before then: {platformUrl}\n',
    },
    organization_deletion_cancelled: {
      subject: 'The organization {organization} was restored',
      text: 'An owner of the organization {organization} on Daybook cancelled its deletion. Its members, tokens, shares and links work again. Invitations were cancelled and must be sent again.\n\nOrganizations: {platformUrl}\n',
    },
    join_organization: {
      subject: '{sender} invites you to join {organization} on Daybook',
      text: '{sender} ({email}) invites you to join the organization {organization} on Daybook as {role}.\n\nThe sender chose the names in quotes. If you do not know the sender, ignore this e-mail.\n\nThe link works once and expires after one week:\n{link}\n',
    },
  },
  roles: { owner: 'owner', admin: 'admin', member: 'member', viewer: 'viewer', guest: 'guest' },
  /** Completes “to …” in `confirm_action`. */
  actions: {
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
  },
  editions: {
    kinds: { daily: 'Daily', weekly: 'Weekly' },
    kindsInSubject: { daily: 'daily', weekly: 'weekly' },
    subject: 'Daybook {kind} {period}: {headline}',
    flashes: 'In brief',
    editorsNote: 'Editors’ note',
    readOnline: 'Read it on Daybook',
    why: 'You receive this e-mail because you subscribed to it.',
    manage: 'Manage subscription',
    unsubscribe: 'Unsubscribe',
    mayBeWrong: 'Titles and summaries are generated from third-party reports and may contain errors.',
    confirmSubject: 'Confirm your subscription to Daybook',
    confirmText:
      'To receive Daybook reports ({reports}) at this address, confirm your subscription within one week:\n{link}\n\nIf you did not subscribe, ignore this e-mail. No reports are sent.\n',
    knownSubject: 'You are already subscribed to Daybook',
    knownText:
      'This address is already subscribed to Daybook ({reports}).\n\nManage your subscription or unsubscribe:\n{link}\n',
  },
  watch: {
    subjectOne: '1 new item: {names}',
    subject: '{count} new items: {names}',
    heading: 'New items for your saved searches',
    more: '{count} more: {link}',
    moreLink: '{count} more',
    why: 'You receive this e-mail because you chose {frequency} e-mail for these saved searches.',
    frequencies: { hourly: 'hourly', daily: 'daily' },
    manage: 'Manage saved searches',
    unsubscribe: 'Stop {frequency} e-mail',
  },
  schedules: {
    nothing: 'The sources do not answer this question.',
    noCorrections: 'No matching corrections or withdrawals since the last answer.',
    unanswered: 'Not answered by the sources: {question}',
    leftOut: 'Sentences omitted: {count}.',
    sources: 'Sources',
    byQuoting: 'Quoted from the sources as of {time}, without a language model.',
    byModel:
      'Written by a language model from the sources as of {time} and checked against the cited sentences.',
    why: 'You receive this e-mail because you scheduled this question.',
    manage: 'Manage schedules',
  },
  errorReport: {
    subject: 'Error reported',
    subjectAbout: 'Error reported: {about}',
    text: 'A reader reported an error. The following text was written by the reader and is not verified.\n\nAbout: {about}\nReply to: {replyTo}\n\n{message}\n',
    noPage: 'no specific page',
    noAddress: 'none',
  },
  sourceAlerts: {
    subjectOne: 'A source needs attention',
    subject: '{count} sources need attention',
    text: 'These sources need attention:\n\n{sources}\n\nReview them at the desk: {address}\n',
    kinds: {
      silent: 'no new entries for much longer than usual',
      failing: 'polls have been failing for more than a day',
      suspended: 'suspended because the list was not found for two weeks',
      stopped: 'stopped because the publisher removed the list',
      busy: 'many more entries than usual',
    },
  },
};
