// Which imports the server's folders may have. `.dependency-cruiser.cjs` makes rules of it; `scripts/folder-imports.ts`
// fails where an allowed import is used by no file.

/** The other domains that each domain may import through their index.ts. A domain that is not listed may import none. */
const domainImports = {
  foundation: [],
  config: ['foundation'],
  record: ['foundation'],
  language: [],
  news: ['foundation', 'record'],
  audit: ['foundation'],
  ingest: ['foundation', 'record'],
  newsroom: ['foundation', 'record', 'ingest', 'language', 'access'],
  mailing: ['foundation', 'record'],
  identity: ['foundation', 'audit'],
  access: ['foundation', 'audit', 'identity'],
  storage: ['foundation', 'audit', 'identity', 'access'],
  agents: ['foundation', 'audit', 'language', 'identity', 'access'],
  watch: ['foundation', 'record', 'audit', 'news', 'identity'],
  site: [
    'foundation',
    'record',
    'audit',
    'news',
    'newsroom',
    'mailing',
    'identity',
    'access',
    'storage',
    'agents',
    'watch',
  ],
};

/** The folders inside a domain, lowest first. A folder imports only folders of the lines above its own. */
const folderLayers = {
  identity: [
    ['accounts'],
    ['mail', 'pictures'],
    ['credentials'],
    ['attempts', 'organizations', 'signing-keys'],
    ['invitations', 'sessions'],
    ['memberships', 'passkeys', 'passwords'],
    ['recovery', 'registration', 'second-factor'],
    ['step-up'],
    ['deletion', 'email-change', 'export', 'mail-delivery', 'openid', 'sign-in-methods'],
    ['sign-in'],
    ['api-keys'],
    ['authentication'],
  ],
  access: [
    ['permissions'],
    ['core-permissions'],
    ['capabilities', 'credentials'],
    ['authorities'],
    ['callers', 'shares'],
    ['changes'],
    ['audit-events', 'named-resources', 'organizations'],
    ['policies'],
    ['groups'],
    ['platform-tokens'],
    ['members'],
  ],
  record: [
    ['log'],
    ['corrections', 'items', 'ledger', 'purges', 'rankings'],
    ['archive-files', 'editions', 'stories'],
    ['item-decisions', 'reading'],
    ['comparing'],
  ],
  storage: [
    ['bucket', 'projects'],
    ['folders'],
    ['files'],
    ['derived'],
    ['inspection', 'uploads'],
    ['shares'],
    ['links', 'transfers', 'trash'],
  ],
  ingest: [
    ['parse'],
    ['fetch'],
    ['boilerplate', 'extract', 'leases'],
    ['sources'],
    ['hubs', 'land'],
    ['schedule'],
  ],
  watch: [['searches'], ['feeds', 'mails', 'webhooks'], ['matching']],
  newsroom: [['copy', 'rankings', 'stories'], ['editions', 'evaluation'], ['publication'], ['desk']],
};

module.exports = { domainImports, folderLayers };
