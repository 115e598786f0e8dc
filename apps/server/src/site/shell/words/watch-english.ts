/** Where the links in mail about saved searches lead. */
export const englishWatchMail = {
  unsubscribe: 'Stop this e-mail',
  unsubscribeText:
    'You will receive no more e-mail about new matches of your saved searches. The searches are not deleted.',
  ended: 'E-mail stopped',
  endedText: 'You will receive no more e-mail about new matches. Your saved searches are unchanged.',
  manage: 'Manage saved searches',
  deadLink: 'This link is no longer valid',
  deadLinkText:
    'The link has expired or is incomplete. Use the link in a newer e-mail, or sign in to manage your saved searches.',
};
