import { join, normalize } from 'node:path/posix';

import { parse } from 'yaml';

import { environmentOf, isProbeOf, readStages } from './dockerfile-check.ts';

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly restart?: string;
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly ipam: { readonly config: readonly { readonly subnet: string; readonly ip_range: string }[] };
      }
    >
  >;
}

/** The values in the code that a deployment must match. */
export interface ServerFacts {
  /** Names of all settings that the configuration reads. */
  readonly settings: readonly string[];
  /** Names that `daybook database logins` reads. */
  readonly loginsSettings: readonly string[];
  readonly loginNames: { readonly application: string; readonly newsReader: string; readonly owner: string };
  readonly workerPort: number;
  /** How long a draining process continues to serve, and how long it may then take to finish. */
  readonly drainNoticeMs: number;
  readonly drainFinishMs: number;
}

export interface DeploymentFiles {
  readonly compose: string;
  readonly dockerfile: string;
  readonly nginxTemplate: string;
  readonly environmentExample: string;
}

/** Settings that no operator of an image needs, and why. */
const notPassedOn: Readonly<Record<string, string>> = {
  HOST: 'set in the Dockerfile',
  PORT: 'set in the Dockerfile',
  DAYBOOK_WORKER_PORT: 'every container has its own',
  DATABASE_OWNER_URL: 'for the service migrate alone',
  DATABASE_DIRECT_URL: 'there is no pooler here',
  DAYBOOK_DRAIN_NOTICE_MS: 'goes with keepalive_timeout in nginx.conf.template',
  DAYBOOK_CONTRACT_CHECKS: 'for development',
  DAYBOOK_CLOCK_START: 'for development',
  DAYBOOK_CLOCK_SPEED: 'for development',
  DAYBOOK_CLOCK_STARTED_AT: 'for development',
  DAYBOOK_EXAMPLE_PORT: 'for development',
};

const serviceNames = ['database', 'logins', 'migrate', 'api-1', 'api-2', 'worker', 'edge'];
const runOnce: ReadonlySet<string> = new Set(['logins', 'migrate']);
const databaseName = 'daybook';

/** The mismatches of compose.yaml with the other files, the code, its images, or itself. */
export function checkCompose(
  files: DeploymentFiles,
  facts: ServerFacts,
  isFile: (path: string) => boolean,
): readonly string[] {
  const compose = parse(files.compose, { merge: true }) as Compose;
  const names = Object.keys(compose.services);
  if (names.join() !== serviceNames.join()) return [`the services are ${names.join(', ')}`];
  const image = environmentOf(readStages(files.dockerfile).at(-1));
  const daybook = Object.entries(compose.services).filter(([name]) => name !== 'database' && name !== 'edge');
  return [
    ...daybook.flatMap(([name, service]) => checkDaybookService(name, service, facts, isFile)),
    ...checkSettings(files, compose, facts),
    ...checkDatabase(compose),
    ...checkOrder(compose, facts),
    ...checkNetwork(compose),
    ...checkEdge(files, compose, image.get('PORT') ?? '', isFile),
    ...(isProbeOf(compose.services['worker']?.healthcheck?.test.join(' ') ?? '', facts.workerPort)
      ? []
      : ['worker: its health check']),
  ];
}

function checkDaybookService(
  name: string,
  { build, image, command = [], environment = {} }: Service,
  facts: ServerFacts,
  isFile: (path: string) => boolean,
): readonly string[] {
  const context = normalize(join('deploy', build?.context ?? '')).replace(/\/$/, '');
  const dockerfile = normalize(join(context, build?.dockerfile ?? ''));
  const commands: Readonly<Record<string, string>> = {
    logins: 'database logins',
    migrate: 'database migrate',
    worker: 'worker',
  };
  const known = name === 'logins' ? facts.loginsSettings : facts.settings;
  return [
    ...(context === '.' && dockerfile === 'deploy/Dockerfile' && isFile(dockerfile)
      ? []
      : [`${name}: is not built from the root by deploy/Dockerfile`]),
    ...(image === 'daybook' ? [] : [`${name}: is not of the image daybook`]),
    ...(command.join(' ') === (commands[name] ?? 'api') ? [] : [`${name}: its command`]),
    ...Object.entries(environment).flatMap(([setting, value]) => [
      ...(known.includes(setting) ? [] : [`${name}: nothing reads ${setting}`]),
      ...checkDatabaseUrl(name, setting, value, facts),
    ]),
  ];
}

/**
 * Each login's address: its name, its own password, the service and port of PostgreSQL, the database. An operator
 * enters those of servers outside of the file.
 */
function checkDatabaseUrl(
  service: string,
  setting: string,
  value: string,
  { loginNames }: ServerFacts,
): readonly string[] {
  const rules: Readonly<Record<string, readonly [string, string, string]>> = {
    DATABASE_URL: [loginNames.application, 'DATABASE_LOGIN_PASSWORD', databaseName],
    DATABASE_READER_URL: [loginNames.newsReader, 'DATABASE_LOGIN_PASSWORD', databaseName],
    DATABASE_OWNER_URL: [loginNames.owner, 'DATABASE_OWNER_PASSWORD', databaseName],
    DATABASE_SUPERUSER_URL: ['postgres', 'DATABASE_SUPERUSER_PASSWORD', 'postgres'],
  };
  const rule = rules[setting];
  const isOfOperator = value === `\${${setting}:-}`;
  if (rule === undefined)
    return !isOfOperator && setting.endsWith('_URL') && setting.startsWith('DATABASE')
      ? [`${service}: ${setting}`]
      : [];
  const [login, password, database] = rule;
  const expected = `postgres://${login}:\${${password}:?}@database:5432/${database}`;
  return value === expected ? [] : [`${service}: ${setting} is not ${expected}`];
}

const interpolated = /\$\{(\w+)(?::[-?][^}]*)?\}/g;
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(interpolated)].map(([, name = '']) => name);

function checkSettings(
  { compose: text, environmentExample }: DeploymentFiles,
  { services }: Compose,
  { settings }: ServerFacts,
): readonly string[] {
  const asked = new Set(namesIn(text.replaceAll(/^\s*#.*$/gm, '')));
  const offered = new Set(
    environmentExample.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.slice(1) ?? []),
  );
  const passedOn = [services['api-1'], services['api-2'], services['worker'], services['migrate']];
  return [
    ...[...asked.difference(offered)].map((name) => `.env.example does not name ${name}`),
    ...[...offered.difference(asked)].map((name) => `compose.yaml does not read ${name} of .env.example`),
    ...settings
      .filter((name) => !(name in notPassedOn))
      .filter((name) => passedOn.some((service) => service?.environment?.[name] === undefined))
      .map((name) => `${name} is not passed on: add it to x-settings and .env.example, or say why not`),
    ...Object.entries(services).flatMap(([service, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([name, value]) => /^\$\{\w+(?::[-?][^}]*)?\}$/.test(value) && namesIn(value)[0] !== name)
        .filter(
          ([name, value]) => `${name}=${value}` !== 'POSTGRES_PASSWORD=${DATABASE_SUPERUSER_PASSWORD:?}',
        )
        .map(([name, value]) => `${service}: ${name} is ${value}`),
    ),
  ];
}

/** The settings and the data folder of postgres's image of version 18. */
function checkDatabase({ services, volumes }: Compose): readonly string[] {
  const database = services['database'];
  const ready = 'CMD pg_isready -h 127.0.0.1 -p 5432 -U postgres';
  return [
    ...(database?.image?.startsWith('postgres:18') === true ? [] : ['database: its image']),
    ...(Object.keys(database?.environment ?? {}).join() === 'POSTGRES_PASSWORD,POSTGRES_INITDB_ARGS'
      ? []
      : ['database: its environment']),
    ...(database?.volumes?.join() === 'database:/var/lib/postgresql' ? [] : ['database: its volume']),
    ...(Object.keys(volumes).join() === 'database' ? [] : ['the volumes']),
    ...(database?.healthcheck?.test.join(' ') === ready
      ? []
      : [`database: its health check is not ${ready}`]),
    ...(services['logins']?.environment?.['DATABASE_NAME'] === databaseName ? [] : ['logins: the database']),
  ];
}

function checkOrder({ services }: Compose, facts: ServerFacts): readonly string[] {
  const drainMs = facts.drainNoticeMs + facts.drainFinishMs;
  const waits: Readonly<Record<string, string>> = {
    database: '{}',
    logins: '{"database":{"condition":"service_healthy"}}',
    migrate: '{"logins":{"condition":"service_completed_successfully"}}',
    'api-1': '{"migrate":{"condition":"service_completed_successfully"}}',
    'api-2': '{"migrate":{"condition":"service_completed_successfully"}}',
    worker: '{"migrate":{"condition":"service_completed_successfully"}}',
    edge: '{"api-1":{"condition":"service_healthy"},"api-2":{"condition":"service_healthy"}}',
  };
  return [
    ...Object.entries(services)
      .filter(([name, { depends_on = {} }]) => JSON.stringify(depends_on) !== waits[name])
      .map(([name]) => `${name}: what it waits for`),
    ...Object.entries(services)
      .filter(([name, { restart }]) => restart !== (runOnce.has(name) ? 'no' : 'unless-stopped'))
      .map(([name]) => `${name}: whether it is started again`),
    ...['api-1', 'api-2', 'worker']
      .filter((name) => Number.parseInt(services[name]?.stop_grace_period ?? '', 10) * 1_000 <= drainMs)
      .map((name) => `${name}: is killed before it has ended in good order`),
  ];
}

const addressOf = ({ networks = [] }: Service): string | null =>
  Array.isArray(networks) ? null : (Object.values(networks)[0]?.ipv4_address ?? null);

/** Fixed addresses are in the network, outside the dynamic range, and unique. */
function checkNetwork({ services, networks }: Compose): readonly string[] {
  const { subnet = '', ip_range: range = '' } = networks['inside']?.ipam.config[0] ?? {};
  const fixed = Object.entries(services).flatMap(([name, service]) => {
    const address = addressOf(service);
    return address === null ? [] : [{ name, address }];
  });
  return [
    ...Object.entries(services)
      .filter(([, service]) => namesOf(service).join() !== 'inside')
      .map(([name]) => `${name}: is not in the network inside`),
    ...[subnet, range].filter((cidr) => !isCanonical(cidr)).map((cidr) => `${cidr} is no network`),
    ...(fixed.map(({ name }) => name).join() === 'api-1,api-2,edge' ? [] : ['whose address is fixed']),
    ...(new Set(fixed.map(({ address }) => address)).size === fixed.length ? [] : ['two of one address']),
    ...fixed
      .filter(({ address }) => !contains(subnet, address) || contains(range, address))
      .map(({ name, address }) => `${name}: cannot have the address ${address}`),
    ...['api-1', 'api-2', 'worker', 'migrate']
      .filter(
        (name) =>
          services[name]?.environment?.['DAYBOOK_TRUSTED_PROXIES'] !==
          `${addressOf(services['edge'] ?? {})}/32`,
      )
      .map((name) => `${name}: trusts another proxy than the edge`),
  ];
}

const namesOf = ({ networks = [] }: Service): readonly string[] =>
  Array.isArray(networks) ? (networks as readonly string[]) : Object.keys(networks);

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

function contains(cidr: string, address: string): boolean {
  const [base = '', bits = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  return Math.floor(numberOf(base) / size) === Math.floor(numberOf(address) / size);
}

function isCanonical(cidr: string): boolean {
  const [base = '', bits = ''] = cidr.split('/');
  return numberOf(base) % 2 ** (32 - Number(bits)) === 0;
}

/** nginx's image fills in the templates and writes them to the configured folder. */
function checkEdge(
  { compose: text, nginxTemplate }: DeploymentFiles,
  { services }: Compose,
  apiPort: string,
  isFile: (path: string) => boolean,
): readonly string[] {
  const edge = services['edge'] ?? {};
  const {
    NGINX_ENVSUBST_FILTER: filter = '',
    NGINX_ENVSUBST_OUTPUT_DIR: output = '',
    ...values
  } = edge.environment ?? {};
  const [source = '', target = '', mode = ''] = edge.volumes?.[0]?.split(':') ?? [];
  const written = join(output, target.replace('/etc/nginx/templates/', '').replace(/\.template$/, ''));
  const [published, inside] = edge.ports?.[0]?.split(':') ?? [];
  const listen = values['DAYBOOK_EDGE_LISTEN'];
  const behind = (name: string): string => `${addressOf(services[name] ?? {})}:${apiPort}`;
  const asked = new Set(namesIn(nginxTemplate.replaceAll(/^\s*#.*$/gm, '')));
  const defaultUrl = /DAYBOOK_BASE_URL: \$\{DAYBOOK_BASE_URL:-(.*)\}/.exec(text)?.[1] ?? '';
  const rules: Readonly<Record<string, boolean>> = {
    'its image': edge.image?.startsWith('nginx:') === true,
    'its volumes': edge.volumes?.length === 1 && mode === 'ro' && isFile(normalize(join('deploy', source))),
    'where its configuration is written': written === '/etc/nginx/nginx.conf',
    'which names are filled in': asked.size > 0 && Object.keys(values).every((name) => asked.has(name)),
    'names without a value': [...asked].every((name) => name in values && new RegExp(filter).test(name)),
    'where it keeps its files': values['DAYBOOK_EDGE_FOLDER'] === '/var/cache/nginx',
    'its ports': edge.ports?.length === 1 && inside === listen && published === URL.parse(defaultUrl)?.port,
    'its first api': values['DAYBOOK_EDGE_API_1'] === behind('api-1'),
    'its second api': values['DAYBOOK_EDGE_API_2'] === behind('api-2'),
    'its health check':
      edge.healthcheck?.test.join(' ') ===
      `CMD curl --fail --silent --output /dev/null http://127.0.0.1:${listen}/livez`,
    'the address that links begin with': URL.parse(defaultUrl)?.hostname === 'localhost',
  };
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([rule]) => `edge: ${rule}`);
}
