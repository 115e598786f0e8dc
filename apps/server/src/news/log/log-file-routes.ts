import type { Tile } from '@daybook/client/log';
import { bundlePath, tilePath } from '@daybook/client/log';
import { writeBundle } from '@daybook/client/log/append';
import type { TSchema } from 'typebox';
import { Type } from 'typebox';

import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { refreshSecondsOf } from '../freshness.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { EpochsSchema, epochsExample } from './epochs-schema.ts';
import { logUnsigned, noCheckpoint } from './log-problems.ts';

interface LogDeps {
  readonly record: RecordReader;
}

const textType = 'text/plain; charset=utf-8';
const plainText = { schema: Type.String(), example: '', contentType: textType };
const jsonType = 'application/json';
const bytesType = 'application/octet-stream';
const logPath = '/log';

/** The public log as files, in the layout of C2SP tlog-tiles: for verifiers, so the description of the API omits them. */
export function logFileRoutes(tools: NewsRouteTools, deps: LogDeps): readonly RouteDeclaration[] {
  return [
    fileRoute(tools, 'keys', {
      summary: 'The keys that verify checkpoints, one per line.',
      read: async () => {
        const { verifierKeys } = await deps.record.logHead();
        if (verifierKeys === '') throw noCheckpoint();
        return `${verifierKeys}\n`;
      },
    }),
    fileRoute(tools, 'epochs', {
      summary:
        'The epochs of the log: name, path and, for all but the first, the signed statement of its beginning.',
      form: { schema: EpochsSchema, example: epochsExample, contentType: jsonType },
      read: async () => {
        const epochs = await deps.record.logEpochs();
        return JSON.stringify({
          schemaVersion: 1,
          epochs: epochs.map(({ epoch, origin, statement, endedAt }) => ({
            epoch,
            origin,
            path: pathOfEpoch(epoch),
            statement,
            endedAt,
          })),
        });
      },
    }),
    ...[{}, epochParam].flatMap((prefix) => [
      checkpointRoute(tools, deps, prefix),
      ...tileParts.map((_, at) => tileRoute(tools, deps, { prefix, parts: tileParts.slice(0, at + 1) })),
    ]),
  ];
}

/** The first epoch is at `/log`, a later one below it: files of one address never change. */
function pathOfEpoch(epoch: number): string {
  return epoch === 1 ? logPath : `${logPath}/${epoch}`;
}

const epochParam = { epoch: Type.String({ pattern: '^(?:[2-9]|[1-9][0-9]{1,5})$' }) };
type EpochPrefix = Partial<typeof epochParam>;
type Params = Readonly<Record<string, string>>;

function pathBelow(prefix: EpochPrefix, file: string): string {
  return prefix.epoch === undefined ? `${logPath}/${file}` : `${logPath}/{epoch}/${file}`;
}

function epochIn({ epoch = '1' }: Params): number {
  return Number(epoch);
}

function fileRoute(
  tools: NewsRouteTools,
  name: string,
  file: {
    readonly summary: string;
    readonly form?: { readonly schema: TSchema; readonly example: unknown; readonly contentType: string };
    readonly read: () => Promise<string>;
  },
): RouteDeclaration {
  const { summary, form = plainText, read } = file;
  return defineNewsRoute(tools, {
    path: `${logPath}/${name}`,
    operationId: `getLog_${name}`,
    tag: 'proofs',
    summary,
    ok: { description: summary, ...form },
    problems: [logUnsigned],
    freshness: 'ten-seconds',
    resource: () => ({
      key: `log ${name}`,
      cacheTags: [],
      uncached: true,
      build: async () => ({ status: 200, contentType: form.contentType, body: await read() }),
    }),
  });
}

function checkpointRoute(tools: NewsRouteTools, { record }: LogDeps, prefix: EpochPrefix): RouteDeclaration {
  const summary = 'The newest signed checkpoint.';
  return defineNewsRoute(tools, {
    path: pathBelow(prefix, 'checkpoint'),
    operationId: `getLog${prefix.epoch === undefined ? '' : 'Epoch'}_checkpoint`,
    tag: 'proofs',
    summary,
    params: Type.Object({ ...prefix }),
    ok: { description: summary, ...plainText },
    problems: [notFound, logUnsigned],
    freshness: 'ten-seconds',
    resource: ({ params }) => {
      const wanted = epochIn(params as Params);
      return {
        key: `log checkpoint ${wanted}`,
        cacheTags: [],
        uncached: true,
        build: async () => {
          const found = (await record.logEpochs()).find(({ epoch }) => epoch === wanted);
          if (found === undefined && wanted > 1) throw noFile();
          if (found === undefined || found.checkpoint === null) throw noCheckpoint();
          return { status: 200, contentType: textType, body: found.checkpoint };
        },
      };
    },
  });
}

/** Segments after the level: groups of three digits of an index, and the width of a partial tile. */
const tileParts = ['a', 'b', 'c', 'd'] as const;

function tileRoute(
  tools: NewsRouteTools,
  deps: LogDeps,
  { prefix, parts }: { readonly prefix: EpochPrefix; readonly parts: readonly (typeof tileParts)[number][] },
): RouteDeclaration {
  const names = ['level', ...parts];
  const segment = Type.String({ maxLength: 7 });
  return defineNewsRoute(tools, {
    path: pathBelow(prefix, `tile/${names.map((name) => `{${name}}`).join('/')}`),
    operationId: `getLog${prefix.epoch === undefined ? '' : 'Epoch'}Tile_${parts.length}`,
    tag: 'proofs',
    summary: 'A tile of hashes, or a bundle of entries.',
    params: Type.Object({ ...prefix, ...Object.fromEntries(names.map((name) => [name, segment])) }),
    ok: { description: 'Its bytes.', schema: Type.String(), example: '', contentType: bytesType },
    problems: [notFound],
    freshness: 'year',
    resource: ({ params: given }) => {
      const params = given as Params;
      const path = `tile/${names.map((name) => params[name] ?? '').join('/')}`;
      const tile = parseTilePath(path);
      if (tile === null) throw noFile();
      const epoch = epochIn(params);
      // A full tile never changes; a partial one is requested only until its checkpoint is replaced.
      return {
        key: `log ${epoch} ${path}`,
        cacheTags: [],
        uncached: tile.width < tileWidth,
        build: () => buildTile(deps, epoch, tile),
      };
    },
  });
}

const tileWidth = 256;
const form = /^tile\/(entries|[0-7])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/u;

interface TileAddress extends Omit<Tile, 'level'> {
  readonly level: number | 'entries';
}

/** Null for every other spelling of an address, so that each tile has one. */
function parseTilePath(path: string): TileAddress | null {
  const [, level = '', groups = '', width] = form.exec(path) ?? [];
  if (groups === '') return null;
  const at = {
    index: Number(groups.replaceAll(/\D/gu, '')),
    width: width === undefined ? tileWidth : Number(width),
  };
  const tile = level === 'entries' ? { ...at, level } : { ...at, level: Number(level) };
  const canonical = level === 'entries' ? bundlePath(at) : tilePath({ ...at, level: Number(level) });
  return canonical === path ? (tile as TileAddress) : null;
}

const immutable = { 'x-accel-expires': String(refreshSecondsOf('year')) };

async function buildTile(
  { record }: LogDeps,
  wanted: number,
  { level, ...at }: TileAddress,
): Promise<BuiltBody> {
  const found = (await record.logEpochs()).find(({ epoch }) => epoch === wanted);
  // The database has the leaves that an ended epoch had in common with the next one, and no later ones.
  const hashes = Math.floor((found?.endedAt ?? Infinity) / tileWidth ** (level === 'entries' ? 0 : level));
  if ((found === undefined && wanted > 1) || at.index * tileWidth + at.width > hashes) throw noFile();
  const body = level === 'entries' ? await readBundle(record, at) : await record.logTile({ level, ...at });
  if (body === null) throw noFile();
  return { status: 200, contentType: bytesType, body, headers: immutable };
}

async function readBundle(record: RecordReader, at: Omit<Tile, 'level'>): Promise<Buffer | null> {
  const leaves = await record.logLeaves(at);
  return leaves.length < at.width ? null : Buffer.from(writeBundle(leaves));
}

function noFile(): ProblemError {
  return new ProblemError(notFound, 'Log file not found.');
}
