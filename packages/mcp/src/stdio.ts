import { serveStdio } from '@modelcontextprotocol/server/stdio';

import type { McpNews } from './news.ts';
import { newsServerFactory } from './server.ts';

/** Answers MCP on standard input and output; resolves when the other end has closed. */
export function serveNewsOverStdio(news: McpNews, onError: (error: Error) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.once('close', resolve).once('end', resolve);
  serveStdio(
    newsServerFactory(() => news),
    { onerror: onError },
  );
  return promise;
}
