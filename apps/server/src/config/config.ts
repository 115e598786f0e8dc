import { Environment } from './env.ts';

/** Everything an operator can set, validated once and passed down. `docs/guides/configuration.md` explains each. */
export interface Config {
  readonly database: {
    readonly applicationUrl: string;
    readonly ownerUrl: string;
    readonly newsReaderUrl: string;
    /** The application's login straight to PostgreSQL, past any pooler: locks and notifications need a session. */
    readonly directUrl: string;
    readonly connectionsMax: number;
  };
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Where a worker answers probes. */
    readonly workerPort: number;
    readonly trustedProxies: readonly string[];
    readonly metricsReaders: readonly string[];
    readonly inFlightMax: number;
    readonly loopDelayMaxMs: number;
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly drainNoticeMs: number;
    readonly drainFinishMs: number;
  };
  readonly anonymous: {
    readonly requestsPerMinute: number;
    readonly burst: number;
    readonly deniedAddresses: readonly string[];
    readonly deniedUserAgents: readonly string[];
  };
  readonly news: {
    /** Where readers reach this installation, without a slash at the end. */
    readonly baseUrl: string;
    /** Off: every story is 404 and nothing links to one. */
    readonly storyLayer: boolean;
  };
  readonly identity: {
    /** Issuer of tokens and home of the links in mail. */
    readonly authUrl: string;
    /** Where clients reach this installation; the audience of tokens. */
    readonly baseUrl: string;
    /** Without one there are no accounts. The first seals, all open. */
    readonly secretKeys: readonly string[];
    readonly hashingThreads: number;
    readonly hashingPlacesMax: number;
    readonly credentialRequestsPerMinute: number;
    /** The OpenID provider people may sign in through; null without one. */
    readonly openId: {
      readonly issuer: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly name: string;
    } | null;
  };
  readonly pagination: {
    /** The first signs cursors, all verify; without any they are derived from the secret keys. */
    readonly cursorKeys: readonly string[];
  };
  readonly mail: {
    /** Empty: mail waits until there is one. */
    readonly smtpUrl: string;
    readonly from: string;
  };
  readonly cache: {
    readonly entriesMax: number;
    readonly bytesMax: number;
  };
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent' };
  /** Answers are compared with their declarations; costs time, so only for development. */
  readonly contractChecks: boolean;
}

export function readConfig(values: Readonly<Record<string, string | undefined>>): Config {
  const environment = new Environment(values);
  const applicationUrl = environment.required('DATABASE_URL');
  const http = readHttp(environment);
  const baseUrl = environment.baseUrl('DAYBOOK_BASE_URL', localUrl(http));
  const config: Config = {
    database: {
      applicationUrl,
      ownerUrl: environment.text('DATABASE_OWNER_URL', applicationUrl),
      newsReaderUrl: environment.text('DATABASE_READER_URL', applicationUrl),
      directUrl: environment.text('DATABASE_DIRECT_URL', applicationUrl),
      connectionsMax: environment.integer('DATABASE_CONNECTIONS_MAX', 10, { min: 2, max: 1_000 }),
    },
    http,
    identity: readIdentity(environment, baseUrl),
    pagination: { cursorKeys: environment.secretKeys('DAYBOOK_CURSOR_KEYS') },
    mail: {
      smtpUrl: environment.text('DAYBOOK_SMTP_URL', ''),
      from: environment.text('DAYBOOK_MAIL_FROM', 'Daybook <daybook@localhost>'),
    },
    anonymous: {
      requestsPerMinute: environment.integer('DAYBOOK_RATE_PER_MINUTE', 600, { min: 1, max: 1_000_000_000 }),
      burst: environment.integer('DAYBOOK_RATE_BURST', 100, { min: 1, max: 1_000_000 }),
      deniedAddresses: environment.list('DAYBOOK_DENIED_ADDRESSES'),
      deniedUserAgents: environment.list('DAYBOOK_DENIED_USER_AGENTS'),
    },
    news: {
      baseUrl,
      storyLayer: environment.oneOf('DAYBOOK_STORY_LAYER', ['on', 'off'], 'on') === 'on',
    },
    cache: {
      entriesMax: environment.integer('DAYBOOK_CACHE_ENTRIES_MAX', 5_000, { min: 10, max: 1_000_000 }),
      bytesMax:
        environment.integer('DAYBOOK_CACHE_MEGABYTES_MAX', 256, { min: 1, max: 65_536 }) * 1024 * 1024,
    },
    log: {
      level: environment.oneOf('DAYBOOK_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    },
    contractChecks: environment.oneOf('DAYBOOK_CONTRACT_CHECKS', ['on', 'off'], 'off') === 'on',
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
    inFlightMax: environment.integer('DAYBOOK_IN_FLIGHT_MAX', 2_000, { min: 1, max: 1_000_000 }),
    loopDelayMaxMs: environment.integer('DAYBOOK_LOOP_DELAY_MAX_MS', 500, { min: 10, max: 60_000 }),
    headersTimeoutMs: environment.integer('DAYBOOK_HEADERS_TIMEOUT_MS', 10_000, { min: 100, max: 600_000 }),
    requestTimeoutMs: environment.integer('DAYBOOK_REQUEST_TIMEOUT_MS', 30_000, { min: 100, max: 3_600_000 }),
    drainNoticeMs: environment.integer('DAYBOOK_DRAIN_NOTICE_MS', 5_000, { min: 0, max: 120_000 }),
    drainFinishMs: environment.integer('DAYBOOK_DRAIN_FINISH_MS', 20_000, { min: 0, max: 600_000 }),
  };
}

function readIdentity(environment: Environment, baseUrl: string): Config['identity'] {
  const most = { min: 1, max: 1_000_000 };
  return {
    baseUrl,
    authUrl: environment.baseUrl('DAYBOOK_AUTH_URL', baseUrl),
    secretKeys: environment.secretKeys('DAYBOOK_SECRET_KEY'),
    hashingThreads: environment.integer('DAYBOOK_HASHING_THREADS', 1, { min: 1, max: 64 }),
    hashingPlacesMax: environment.integer('DAYBOOK_HASHING_PLACES_MAX', 100, { min: 1, max: 100_000 }),
    credentialRequestsPerMinute: environment.integer('DAYBOOK_CREDENTIAL_RATE_PER_MINUTE', 600, most),
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

/** What a browser on this machine would use. */
function localUrl({ host, port }: Config['http']): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
