import type { SimulatedTime } from '../foundation/clock.ts';
import { isLoopbackHost } from '../foundation/http/loopback-host.ts';
import { parseEmailAddress } from '../foundation/mail/email-address.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { deepFreeze } from './deep-freeze.ts';
import { Environment } from './env.ts';
import { readEdge } from './read-edge.ts';
import { readPublicLog } from './read-public-log.ts';
import { readTracing } from './read-tracing.ts';

export interface ModelConfig {
  /** Base address of `/chat/completions`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly structuredOutput: 'schema' | 'json';
  /** Names of models, by task. */
  readonly itemModel: string;
  readonly digestModel: string;
  readonly callsPerDay: number;
  /** Replaces the table of `foundation/models` in tests. */
  readonly timeoutMs?: number;
  readonly callsPerMinute?: number;
  readonly callsPerHour?: number;
}

/** All settings, validated once and passed down. `docs/guides/configuration.md` explains each. */
export interface Config {
  readonly database: {
    readonly applicationUrl: string;
    readonly ownerUrl: string;
    readonly newsReaderUrl: string;
    /** The news reader's login on a streaming replica; null without one. */
    readonly replicaUrl: string | null;
    /** The application's login straight to PostgreSQL, past any pooler: locks and notifications need a session. */
    readonly directUrl: string;
    /** Whether the other two addresses lead through a pooler in transaction mode. */
    readonly throughPooler: boolean;
    readonly connectionsMax: number;
  };
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Where a worker serves its health endpoints. */
    readonly workerPort: number;
    readonly trustedProxies: readonly string[];
    readonly metricsReaders: readonly string[];
    readonly loopDelayMaxMs: number;
    readonly drainNoticeMs: number;
  };
  readonly anonymous: {
    readonly requestsPerMinute: number;
    readonly burst: number;
    readonly deniedAddresses: readonly string[];
    readonly deniedUserAgents: readonly string[];
  };
  readonly news: {
    /** The public address of this installation, without a trailing slash. */
    readonly baseUrl: string;
    /** Off: every story is 404 and nothing links to one. */
    readonly storyLayer: boolean;
  };
  readonly newsroom: {
    /** Development only: `*.example` is a server on this port of loopback. */
    readonly examplePort: number | null;
    /** Names in several languages, beyond those that ship with Daybook; empty without one. */
    readonly aliasesFile: string;
    /** The key of the organization whose members edit the newsroom; null: no desk. */
    readonly organization: string | null;
    readonly publicLog: ReturnType<typeof readPublicLog>;
    /** The language model that writes titles, summaries and digests; null: rules write them. */
    readonly model: ModelConfig | null;
  };
  readonly agents: {
    /** The file with the language models of agents; empty: answers quote. */
    readonly modelsFile: string;
  };
  readonly edge: ReturnType<typeof readEdge>;
  readonly site: {
    /** The language of pages without a prefix in their address; the other language has one. */
    readonly language: ReaderLanguage;
    /** URI for reports of vulnerabilities; null: the site serves no security.txt. */
    readonly securityContact: string | null;
  };
  readonly identity: {
    /** Issuer of tokens and base address of links in mail. */
    readonly authUrl: string;
    /** Where clients reach this installation; the audience of tokens. */
    readonly baseUrl: string;
    /** Without a key, accounts are disabled. The first key encrypts, all decrypt. */
    readonly secretKeys: readonly string[];
    readonly credentialRequestsPerMinute: number;
    /** How many organizations one account can own. */
    readonly ownedOrganizationsMax: number;
    /** The OpenID provider for sign-in; null: none. */
    readonly openId: {
      readonly issuer: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly name: string;
    } | null;
  };
  readonly audit: {
    /** Events older than this are deleted. */
    readonly keepDays: number;
  };
  /** Null: this installation stores no files. */
  readonly storage: {
    readonly bucket:
      | {
          readonly kind: 'folder';
          /** A folder shared by all processes. */
          readonly folder: string;
        }
      | {
          readonly kind: 's3';
          readonly bucket: string;
          /** Null: Amazon's own endpoint of the region. */
          readonly url: string | null;
          readonly region: string;
          readonly accessKeyId: string;
          readonly secretAccessKey: string;
        };
    readonly quotaBytes: number;
    readonly guestQuotaPercent: number;
    readonly guestsQuotaPercent: number;
    readonly personQuotaPercent: number;
    readonly membersQuotaPercent: number;
    readonly graceDays: number;
    /** Address of the ClamAV daemon; null: files are not scanned. */
    readonly scanner: { readonly host: string; readonly port: number } | { readonly path: string } | null;
    readonly unscannableFor: 'uploader' | 'readers';
    readonly rescansPerHour: number;
    readonly origins: readonly string[];
    /** A separate origin for previews; null: previews use the origin of the pages. */
    readonly previewUrl: string | null;
    /** Of the nginx that reads downloads from the folder or the bucket itself; null: the api sends them. */
    readonly nginxToken: string | null;
  } | null;
  readonly mail: {
    /** Empty: mail stays queued until a server is configured. */
    readonly smtpUrl: string;
    readonly from: string;
    /** Recipient of readers' error reports; empty: the form is disabled. */
    readonly editorsEmail: string;
  };
  readonly cache: { readonly bytesMax: number };
  readonly tracing: ReturnType<typeof readTracing>;
  readonly log: { readonly level: (typeof logLevels)[number] };
  /** Compares responses with their declarations; costs time, so only for development. */
  readonly contractChecks: boolean;
  /** A simulated calendar, for development; null: the real one. */
  readonly simulatedTime: SimulatedTime | null;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export function readConfig(values: Readonly<Record<string, string | undefined>>): Config {
  const environment = new Environment(values);
  const applicationUrl = environment.required('DATABASE_URL');
  const directUrl = environment.text('DATABASE_DIRECT_URL', applicationUrl);
  const http = readHttp(environment);
  const baseUrl = environment.baseUrl('DAYBOOK_BASE_URL', localUrl(http));
  const config: Config = {
    database: {
      applicationUrl,
      // Migrations take a session lock, so they bypass a pooler as well.
      ownerUrl: environment.text('DATABASE_OWNER_URL', directUrl),
      newsReaderUrl: environment.text('DATABASE_READER_URL', applicationUrl),
      replicaUrl: environment.text('DATABASE_REPLICA_URL', '') || null,
      directUrl,
      throughPooler: directUrl !== applicationUrl,
      connectionsMax: environment.integer('DATABASE_CONNECTIONS_MAX', 10, { min: 2, max: 1_000 }),
    },
    http,
    identity: readIdentity(environment, baseUrl),
    // The database refuses to delete the last 30 days whatever this setting says: migrations/0010-audit.sql.
    audit: { keepDays: environment.integer('DAYBOOK_AUDIT_KEEP_DAYS', 400, { min: 30, max: 36_500 }) },
    storage: readStorage(environment, baseUrl),
    mail: {
      smtpUrl: environment.text('DAYBOOK_SMTP_URL', ''),
      from: environment.text('DAYBOOK_MAIL_FROM', 'Daybook <daybook@localhost>'),
      editorsEmail: readEditorsEmail(environment),
    },
    anonymous: {
      ...readRate(environment),
      deniedAddresses: environment.list('DAYBOOK_DENIED_ADDRESSES'),
      deniedUserAgents: environment.list('DAYBOOK_DENIED_USER_AGENTS'),
    },
    news: {
      baseUrl,
      storyLayer: environment.oneOf('DAYBOOK_STORY_LAYER', ['on', 'off'], 'on') === 'on',
    },
    newsroom: {
      examplePort: readExamplePort(environment, baseUrl),
      aliasesFile: environment.text('DAYBOOK_ALIASES_FILE', ''),
      organization: readNewsroomOrganization(environment),
      publicLog: readPublicLog(environment),
      model: readModel(environment),
    },
    agents: { modelsFile: environment.text('DAYBOOK_AGENT_MODELS_FILE', '') },
    edge: readEdge(environment),
    site: {
      language: environment.oneOf('DAYBOOK_LANGUAGE', ['en', 'zh'], 'en'),
      securityContact: readSecurityContact(environment),
    },
    cache: {
      bytesMax:
        environment.integer('DAYBOOK_CACHE_MEGABYTES_MAX', 256, { min: 1, max: 65_536 }) * 1024 * 1024,
    },
    tracing: readTracing(environment),
    log: { level: environment.oneOf('DAYBOOK_LOG_LEVEL', logLevels, 'info') },
    contractChecks: environment.oneOf('DAYBOOK_CONTRACT_CHECKS', ['on', 'off'], 'off') === 'on',
    simulatedTime: readSimulatedTime(environment, baseUrl),
  };
  environment.finish();
  return deepFreeze(config);
}

function readHttp(environment: Environment): Config['http'] {
  return {
    host: environment.text('HOST', '127.0.0.1'),
    port: environment.integer('PORT', 8080, { min: 0, max: 65_535 }),
    workerPort: environment.integer('DAYBOOK_WORKER_PORT', 8081, { min: 0, max: 65_535 }),
    trustedProxies: environment.list('DAYBOOK_TRUSTED_PROXIES'),
    metricsReaders: ['127.0.0.0/8', '::1', ...environment.list('DAYBOOK_METRICS_READERS')],
    loopDelayMaxMs: environment.integer('DAYBOOK_LOOP_DELAY_MAX_MS', 500, { min: 10, max: 60_000 }),
    drainNoticeMs: environment.integer('DAYBOOK_DRAIN_NOTICE_MS', 5_000, { min: 0, max: 120_000 }),
  };
}

/** The burst of a client is the requests of ten seconds. */
function readRate(environment: Environment): Pick<Config['anonymous'], 'requestsPerMinute' | 'burst'> {
  const bounds = { min: 1, max: 1_000_000_000 };
  const requestsPerMinute = environment.integer('DAYBOOK_RATE_PER_MINUTE', 600, bounds);
  return { requestsPerMinute, burst: Math.min(Math.ceil(requestsPerMinute / 6), 1_000_000) };
}

function readEditorsEmail(environment: Environment): string {
  const address = environment.text('DAYBOOK_EDITORS_EMAIL', '');
  if (address !== '' && !parseEmailAddress(address).ok)
    environment.complain(`DAYBOOK_EDITORS_EMAIL must be an e-mail address, not "${address}"`);
  return address;
}

/** The form of an organization's key. */
function readNewsroomOrganization(environment: Environment): string | null {
  const key = environment.text('DAYBOOK_NEWSROOM_ORGANIZATION', '');
  if (key === '') return null;
  if (!/^[a-z0-9][a-z0-9_-]{2,31}$/.test(key))
    environment.complain(`DAYBOOK_NEWSROOM_ORGANIZATION must be the key of an organization, not "${key}"`);
  return key;
}

function readSecurityContact(environment: Environment): string | null {
  const contact = environment.text('DAYBOOK_SECURITY_CONTACT', '');
  if (contact === '') return null;
  if (parseEmailAddress(contact).ok) return `mailto:${contact}`;
  const url = URL.parse(contact);
  if (url?.protocol === 'https:') return url.href;
  environment.complain(
    `DAYBOOK_SECURITY_CONTACT must be an e-mail address or an https address, not "${contact}"`,
  );
  return null;
}

function readStorage(environment: Environment, baseUrl: string): Config['storage'] {
  const bucket = readBucket(environment);
  const gigabytes = environment.integer('DAYBOOK_STORAGE_QUOTA_GIGABYTES', 10, { min: 0, max: 1_000_000 });
  const percent = { min: 0, max: 100 };
  const limits = {
    guestQuotaPercent: environment.integer('DAYBOOK_STORAGE_GUEST_QUOTA_PERCENT', 5, percent),
    guestsQuotaPercent: environment.integer('DAYBOOK_STORAGE_ALL_GUESTS_QUOTA_PERCENT', 20, percent),
    personQuotaPercent: environment.integer('DAYBOOK_STORAGE_PERSON_QUOTA_PERCENT', 100, percent),
    membersQuotaPercent: environment.integer('DAYBOOK_STORAGE_MEMBERS_QUOTA_PERCENT', 95, percent),
  };
  const graceDays = environment.integer('DAYBOOK_STORAGE_GRACE_DAYS', 30, { min: 0, max: 3_650 });
  const scanner = readScanner(environment);
  const rescans = { min: 0, max: 1_000_000 };
  const scans = {
    origins: environment.origins('DAYBOOK_STORAGE_ORIGINS'),
    nginxToken: environment.optionalHeaderSecret('DAYBOOK_STORAGE_NGINX_TOKEN'),
    scanner,
    unscannableFor: environment.oneOf('DAYBOOK_STORAGE_UNSCANNABLE', ['uploader', 'readers'], 'uploader'),
    rescansPerHour: environment.integer('DAYBOOK_STORAGE_RESCANS_PER_HOUR', 1_000, rescans),
  };
  const previewUrl = readPreviewUrl(environment, baseUrl);
  const quotaBytes = gigabytes * 1024 ** 3;
  return bucket === null ? null : { bucket, quotaBytes, ...limits, ...scans, graceDays, previewUrl };
}

/** Only a different origin is worth a redirect. */
function readPreviewUrl(environment: Environment, baseUrl: string): string | null {
  const url = environment.baseUrl('DAYBOOK_FILES_URL', '');
  const { origin, pathname } = URL.parse(url) ?? {};
  if (url !== '' && pathname !== '/') environment.complain('DAYBOOK_FILES_URL must have no path');
  return origin === undefined || origin === URL.parse(baseUrl)?.origin ? null : origin;
}

function readScanner(environment: Environment): NonNullable<Config['storage']>['scanner'] {
  const value = environment.text('DAYBOOK_CLAMD', '');
  if (value === '') return null;
  if (value.startsWith('/')) return { path: value };
  const [, host = '', port = ''] = /^([\w.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(value) ?? [];
  if (host === '' || Number(port) < 1 || Number(port) > 65_535)
    environment.complain(`DAYBOOK_CLAMD must be host:port or the path of a socket, not "${value}"`);
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
}

function readBucket(environment: Environment): NonNullable<Config['storage']>['bucket'] | null {
  const folder = environment.text('DAYBOOK_STORAGE_FOLDER', '');
  const bucket = environment.text('DAYBOOK_STORAGE_BUCKET', '');
  if (bucket === '') return folder === '' ? null : { kind: 'folder', folder };
  if (folder !== '')
    environment.complain('DAYBOOK_STORAGE_FOLDER and DAYBOOK_STORAGE_BUCKET cannot be combined');
  const url = environment.baseUrl('DAYBOOK_STORAGE_BUCKET_URL', '');
  return {
    kind: 's3',
    bucket,
    url: url === '' ? null : url,
    region: environment.text('DAYBOOK_STORAGE_BUCKET_REGION', 'us-east-1'),
    accessKeyId: environment.required('DAYBOOK_STORAGE_BUCKET_KEY_ID'),
    secretAccessKey: environment.required('DAYBOOK_STORAGE_BUCKET_SECRET'),
  };
}

function readIdentity(environment: Environment, baseUrl: string): Config['identity'] {
  const most = { min: 1, max: 1_000_000 };
  return {
    baseUrl,
    authUrl: environment.baseUrl('DAYBOOK_AUTH_URL', baseUrl),
    secretKeys: environment.secretKeys('DAYBOOK_SECRET_KEY'),
    credentialRequestsPerMinute: environment.integer('DAYBOOK_CREDENTIAL_RATE_PER_MINUTE', 600, most),
    ownedOrganizationsMax: environment.integer('DAYBOOK_ORGANIZATIONS_PER_ACCOUNT', 50, {
      min: 1,
      max: 10_000,
    }),
    openId: readOpenId(environment),
  };
}

function readOpenId(environment: Environment): Config['identity']['openId'] {
  const issuer = environment.issuer('DAYBOOK_OPENID_ISSUER');
  if (issuer === null) return null;
  return {
    issuer,
    clientId: environment.required('DAYBOOK_OPENID_CLIENT_ID'),
    clientSecret: environment.text('DAYBOOK_OPENID_CLIENT_SECRET', ''),
    name: environment.text('DAYBOOK_OPENID_NAME', URL.parse(issuer)?.host ?? ''),
  };
}

function readModel(environment: Environment): ModelConfig | null {
  const baseUrl = environment.baseUrl('DAYBOOK_MODEL_URL', '');
  if (baseUrl === '') return null;
  const name = environment.required('DAYBOOK_MODEL');
  return {
    baseUrl,
    apiKey: environment.text('DAYBOOK_MODEL_API_KEY', ''),
    structuredOutput: environment.oneOf('DAYBOOK_MODEL_OUTPUT', ['schema', 'json'], 'json'),
    itemModel: name,
    digestModel: environment.text('DAYBOOK_MODEL_DIGESTS', name),
    callsPerDay: environment.integer('DAYBOOK_MODEL_CALLS_PER_DAY', 5_000, { min: 1, max: 10_000_000 }),
  };
}

/** The publishers of the simulated world. Refused on an installation reachable by others. */
function readExamplePort(environment: Environment, baseUrl: string): number | null {
  const port = environment.integer('DAYBOOK_EXAMPLE_PORT', 0, { min: 0, max: 65_535 });
  if (port !== 0) requireThisMachine(environment, 'DAYBOOK_EXAMPLE_PORT', baseUrl);
  return port === 0 ? null : port;
}

function requireThisMachine(environment: Environment, name: string, baseUrl: string): void {
  if (!isLoopbackHost(URL.parse(baseUrl)?.hostname ?? ''))
    environment.complain(`${name} is for development on this machine, not for ${baseUrl}`);
}

/** Refused on an installation reachable by others: its readers would see wrong times. */
function readSimulatedTime(environment: Environment, baseUrl: string): SimulatedTime | null {
  const shows = environment.instant('DAYBOOK_CLOCK_START');
  const startedAt = environment.instant('DAYBOOK_CLOCK_STARTED_AT');
  const speed = environment.integer('DAYBOOK_CLOCK_SPEED', 1, { min: 1, max: 1_000_000 });
  if (shows === null) return null;
  requireThisMachine(environment, 'DAYBOOK_CLOCK_START', baseUrl);
  if (startedAt === null) {
    environment.complain(
      'DAYBOOK_CLOCK_STARTED_AT is required with DAYBOOK_CLOCK_START, the same for all processes',
    );
    return null;
  }
  return { shows, startedAt, speed };
}

/** The address a browser on this machine would use: a single host name, because cookies belong to a name. */
function localUrl({ host, port }: Config['http']): string {
  if (['0.0.0.0', '::', '127.0.0.1'].includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
