import { readFileSync, statSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, test } from 'vitest';

import { readConfig } from '../../src/config/config.ts';
import { urlsOf } from '../../src/foundation/database/logins.ts';
import { httpBounds } from '../../src/foundation/http/http-bounds.ts';
import { readSettingNames } from '../configuration-settings.ts';
import type { DeploymentFiles, ServerFacts } from './compose-check.ts';
import { checkDeployment } from './deployment-check.ts';
import type { Repository } from './dockerfile-check.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const kindOf = (path: string) => statSync(`${root}${path}`, { throwIfNoEntry: false });

const files: DeploymentFiles = {
  compose: read('deploy/compose.yaml'),
  dockerfile: read('deploy/Dockerfile'),
  nginxTemplate: read('deploy/nginx.conf.template'),
  environmentExample: read('deploy/.env.example'),
};
const { http } = readConfig({ DATABASE_URL: 'postgres://any' });

let repository: Repository;
let facts: ServerFacts;
beforeAll(async () => {
  repository = await describeRepository();
  facts = await describeServer();
});

async function describeRepository(): Promise<Repository> {
  interface Package {
    readonly name?: string;
    readonly workspaces?: readonly string[];
    readonly dependencies?: Readonly<Record<string, string>>;
  }
  const packageOf = (folder: string): Package => JSON.parse(read(`${folder}/package.json`)) as Package;
  const patterns = packageOf('.').workspaces?.map((pattern) => `${pattern}/package.json`) ?? [];
  const found = await Array.fromAsync(glob(patterns, { cwd: root }));
  const workspaces = found.map((path) => path.replace('/package.json', ''));
  const server = new Set(Object.keys(packageOf('apps/server').dependencies ?? {}));
  return {
    isFile: (path) => kindOf(path)?.isFile() === true,
    isFolder: (path) => kindOf(path)?.isDirectory() === true,
    workspaces,
    serverWorkspaces: workspaces.filter((folder) => server.has(packageOf(folder).name ?? '')),
  };
}

async function describeServer(): Promise<ServerFacts> {
  const urls = urlsOf({ superuserUrl: 'postgres://any', database: 'any', password: 'any' });
  const nameOf = (url: string): string => new URL(url).username;
  const command = await readFile(`${root}apps/server/src/bin/database-command.ts`, 'utf8');
  return {
    settings: await readSettingNames(),
    loginsSettings: [...command.matchAll(/\b(DATABASE_[A-Z_]+): /g)].map(([, name = '']) => name),
    loginNames: {
      application: nameOf(urls.application),
      newsReader: nameOf(urls.newsReader),
      owner: nameOf(urls.owner),
    },
    workerPort: http.workerPort,
    drainNoticeMs: http.drainNoticeMs,
    drainFinishMs: httpBounds.drainFinishMs,
  };
}

const findMismatches = (changed: Partial<DeploymentFiles> = {}): readonly string[] =>
  checkDeployment({ ...files, ...changed }, facts, repository);

test('Dockerfile, compose.yaml, the nginx template and .env.example match each other and the code', () => {
  expect(findMismatches()).toEqual([]);
});

interface Change {
  readonly what: string;
  readonly file: keyof DeploymentFiles;
  readonly pattern: RegExp;
  readonly to: (found: string) => string;
  /** Minimum number of matches, or the pattern has become wrong. */
  readonly placesMin: number;
}

const longer = (found: string): string => `${found}x`;
const next = (found: string): string => String(Number(found) + 1);
const nextAddress = (found: string): string => found.replace(/\d+$/, (octet) => next(octet));
const variable = /\b(?:[A-Z]+_[A-Z0-9_]+|HOST|PORT)\b/g;
const port = /(?<![\d.])\d{4,5}(?![\d.])/g;
const address = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

const changes: readonly Change[] = [
  { what: 'port', file: 'compose', pattern: port, to: next, placesMin: 12 },
  { what: 'address', file: 'compose', pattern: address, to: nextAddress, placesMin: 10 },
  { what: 'host', file: 'compose', pattern: /(?<=@)[a-z]+(?=:\d)/g, to: longer, placesMin: 4 },
  { what: 'host', file: 'compose', pattern: /localhost/g, to: longer, placesMin: 1 },
  { what: 'service', file: 'compose', pattern: /(?<=^ {2})[a-z0-9-]+(?=:)/gm, to: longer, placesMin: 8 },
  {
    what: 'service waited for',
    file: 'compose',
    pattern: /[a-z0-9-]+(?=: \{ condition)/g,
    to: longer,
    placesMin: 6,
  },
  { what: 'login', file: 'compose', pattern: /(?<=postgres:\/\/)\w+/g, to: longer, placesMin: 4 },
  { what: 'database', file: 'compose', pattern: /(?<=5432\/)\w+/g, to: longer, placesMin: 4 },
  { what: 'environment name', file: 'compose', pattern: variable, to: longer, placesMin: 80 },
  { what: 'probe', file: 'compose', pattern: /\/(?:livez|readyz)/g, to: longer, placesMin: 2 },
  {
    what: 'volume or path',
    file: 'compose',
    pattern: /(?<=\s|'|:)\.{0,2}\/[\w./-]*/g,
    to: longer,
    placesMin: 5,
  },
  { what: 'named volume', file: 'compose', pattern: /\bdatabase(?=:\/|: \{\})/g, to: longer, placesMin: 2 },
  { what: 'build path', file: 'compose', pattern: /\.\.(?=,)|deploy\/Dockerfile/g, to: longer, placesMin: 2 },
  { what: 'port', file: 'dockerfile', pattern: port, to: next, placesMin: 3 },
  { what: 'address', file: 'dockerfile', pattern: address, to: nextAddress, placesMin: 2 },
  { what: 'environment name', file: 'dockerfile', pattern: variable, to: longer, placesMin: 3 },
  { what: 'probe', file: 'dockerfile', pattern: /\/(?:livez|readyz)/g, to: longer, placesMin: 1 },
  {
    what: 'path',
    file: 'dockerfile',
    pattern: /(?<=COPY.* |WORKDIR )[^\s-][^\s]*/g,
    to: longer,
    placesMin: 30,
  },
  { what: 'stage', file: 'dockerfile', pattern: /(?<=AS |--from=)\w+/g, to: longer, placesMin: 2 },
  { what: 'program', file: 'dockerfile', pattern: /[\w/.-]+\.(?:ts|mjs)/g, to: longer, placesMin: 2 },
  { what: 'environment name', file: 'nginxTemplate', pattern: variable, to: longer, placesMin: 7 },
  {
    what: 'upstream',
    file: 'nginxTemplate',
    pattern: /(?<= {2}upstream |http:\/\/)\w+/g,
    to: longer,
    placesMin: 2,
  },
  {
    what: 'cache',
    file: 'nginxTemplate',
    pattern: /(?<=keys_zone=|proxy_cache \$|^    1 )\w+/gm,
    to: longer,
    placesMin: 2,
  },
  { what: 'location', file: 'nginxTemplate', pattern: /(?<=location = )\S+/g, to: longer, placesMin: 1 },
  { what: 'environment name', file: 'environmentExample', pattern: variable, to: longer, placesMin: 30 },
];

/** For each match of the pattern outside comments, the file with that one place changed. */
function changedTexts(text: string, { pattern, to }: Change): readonly { line: string; text: string }[] {
  const places = [...text.matchAll(pattern)].filter(({ index }) => !isComment(text, index));
  return places.map(({ 0: found, index }) => {
    const changed = text.slice(0, index) + to(found) + text.slice(index + found.length);
    const start = changed.lastIndexOf('\n', index) + 1;
    return { text: changed, line: changed.slice(start, changed.indexOf('\n', index + to(found).length)) };
  });
}

function isComment(text: string, index: number): boolean {
  return /^\s*#/.test(text.slice(text.lastIndexOf('\n', index) + 1));
}

describe('a change in any one place is detected', () => {
  test.for(changes)('$what in $file', (change) => {
    const texts = changedTexts(files[change.file], change);
    expect(texts.length).toBeGreaterThanOrEqual(change.placesMin);
    expect(findMismatches(), 'or every change would seem to be found out').toEqual([]);
    const overlooked = texts.filter(({ text }) => findMismatches({ [change.file]: text }).length === 0);
    expect(overlooked.map(({ line }) => line)).toEqual([]);
  });
});
