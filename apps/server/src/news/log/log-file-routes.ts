import type { Tile } from '@daybook/client/log';
import { bundlePath, tilePath } from '@daybook/client/log';
import { writeBundle } from '@daybook/client/log/append';
import { Type } from 'typebox';

import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { refreshSecondsOf } from '../freshness.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { logUnsigned, noCheckpoint } from './log-problems.ts';

interface LogDeps {
  readonly record: RecordReader;
}

const textType = 'text/plain; charset=utf-8';
const bytesType = 'application/octet-stream';
const logPath = '/log';

/** The public log as files, in the layout of C2SP tlog-tiles: for verifiers, so the description of the API omits them. */
export function logFileRoutes(tools: NewsRouteTools, deps: LogDeps): readonly RouteDeclaration[] {
  return [
    textRoute(tools, 'checkpoint', 'The newest signed checkpoint.', async () => {
      const { checkpoint } = await deps.record.logHead();
      if (checkpoint === null) throw noCheckpoint();
      return checkpoint;
    }),
    textRoute(tools, 'keys', 'The keys that verify checkpoints, one per line.', async () => {
      const { verifierKeys } = await deps.record.logHead();
      if (verifierKeys === '') throw noCheckpoint();
      return `${verifierKeys}\n`;
    }),
    ...tileParts.map((_, at) => tileRoute(tools, deps, tileParts.slice(0, at + 1))),
  ];
}

function textRoute(
  tools: NewsRouteTools,
  name: 'checkpoint' | 'keys',
  summary: string,
  read: () => Promise<string>,
): RouteDeclaration {
  return defineNewsRoute(tools, {
    path: `${logPath}/${name}`,
    operationId: `getLog_${name}`,
    tag: 'proofs',
    summary,
    ok: { description: summary, schema: Type.String(), example: '', contentType: textType },
    problems: [logUnsigned],
    freshness: 'ten-seconds',
    resource: () => ({
      key: `log ${name}`,
      cacheTags: [],
      uncached: true,
      build: async () => ({ status: 200, contentType: textType, body: await read() }),
    }),
  });
}

/** Segments after the level: groups of three digits of an index, and the width of a partial tile. */
const tileParts = ['a', 'b', 'c', 'd'] as const;

function tileRoute(
  tools: NewsRouteTools,
  deps: LogDeps,
  parts: readonly (typeof tileParts)[number][],
): RouteDeclaration {
  const names = ['level', ...parts];
  const segment = Type.String({ maxLength: 7 });
  return defineNewsRoute(tools, {
    path: `${logPath}/tile/${names.map((name) => `{${name}}`).join('/')}`,
    operationId: `getLogTile_${parts.length}`,
    tag: 'proofs',
    summary: 'A tile of hashes, or a bundle of entries.',
    params: Type.Object(Object.fromEntries(names.map((name) => [name, segment]))),
    ok: { description: 'Its bytes.', schema: Type.String(), example: '', contentType: bytesType },
    problems: [notFound],
    freshness: 'year',
    resource: ({ params }) => {
      const path = `tile/${names.map((name) => params[name] ?? '').join('/')}`;
      const tile = parseTilePath(path);
      if (tile === null) throw noTile();
      // A full tile never changes; a partial one is requested only until its checkpoint is replaced.
      return {
        key: `log ${path}`,
        cacheTags: [],
        uncached: tile.width < tileWidth,
        build: () => buildTile(deps, tile),
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

async function buildTile({ record }: LogDeps, { level, ...at }: TileAddress): Promise<BuiltBody> {
  const body = level === 'entries' ? await readBundle(record, at) : await record.logTile({ level, ...at });
  if (body === null) throw noTile();
  return { status: 200, contentType: bytesType, body, headers: immutable };
}

async function readBundle(record: RecordReader, at: Omit<Tile, 'level'>): Promise<Buffer | null> {
  const leaves = await record.logLeaves(at);
  return leaves.length < at.width ? null : Buffer.from(writeBundle(leaves));
}

function noTile(): ProblemError {
  return new ProblemError(notFound, 'The log has no such tile.');
}
