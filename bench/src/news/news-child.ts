import { fileURLToPath } from 'node:url';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type { ServerChild } from '../server-child.ts';
import { startServerChild } from '../server-child.ts';

const program = fileURLToPath(new URL('../processes/news-server.ts', import.meta.url));

export interface NewsChild extends ServerChild {
  readonly address: string;
}

/** The news api over this database, or a bare server that repeats the one at `repeats`. */
export async function startNewsChild(urls: DatabaseUrls, repeats?: string): Promise<NewsChild> {
  const args = repeats === undefined ? ['daybook'] : ['bare', repeats];
  const server = await startServerChild<{ readonly port: number }>(program, args, urls);
  return { ...server, address: `http://127.0.0.1:${server.hello.port}` };
}
