import { writeBundle } from '@daybook/client/log/append';
import type { LogServer } from '@daybook/client/log/view';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { readTileHashes } from '../../../apps/server/src/record/log/tile-store.ts';
import {
  readLogEpochs,
  readLogHead,
  readLogLeaves,
} from '../../../apps/server/src/record/reading/log-reading-store.ts';

const bundleWidth = 256;

/** The files of the log as the api serves them, without its caches: each attack has its own database. */
export function serveLog(database: Database): LogServer {
  return {
    baseUrl: 'https://prove.example',
    fetch: async (url) => {
      const file = await readFile(database, new URL(url).pathname);
      if (file === null) return new Response('', { status: 404 });
      return new Response(typeof file === 'string' ? file : new Uint8Array(file));
    },
  };
}

async function readFile(database: Database, path: string): Promise<string | Uint8Array | null> {
  const epochs = await readLogEpochs(database);
  if (path === '/log/keys') return `${(await readLogHead(database)).verifierKeys}\n`;
  if (path === '/log/epochs') {
    const listed = epochs.map(({ epoch, origin, statement }) => ({
      epoch,
      origin,
      path: epoch === 1 ? '/log' : `/log/${epoch}`,
      statement,
    }));
    return JSON.stringify({ schemaVersion: 1, epochs: listed });
  }
  const [, number = '1', file = ''] = /^\/log(?:\/(\d+))?\/(.+)$/u.exec(path) ?? [];
  if (file === 'checkpoint') return epochs.find(({ epoch }) => epoch === Number(number))?.checkpoint ?? null;
  const [, level = '', groups = '', width] =
    /^tile\/(entries|\d)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d+))?$/u.exec(file) ?? [];
  if (groups === '') return null;
  const at = {
    index: Number(groups.replaceAll(/\D/gu, '')),
    width: width === undefined ? bundleWidth : Number(width),
  };
  if (level !== 'entries') return readTileHashes(database, { level: Number(level), ...at });
  const leaves = await readLogLeaves(database, at);
  return leaves.length < at.width ? null : writeBundle(leaves);
}
