import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runDaybook } from '../src/program.ts';

/** Runs commands against a server, with a home folder of its own. */
export interface Terminal {
  readonly home: string;
  /** Writes the file that `daybook login` writes. */
  readonly signIn: () => void;
  readonly run: (...args: readonly string[]) => Promise<{ code: number; out: readonly string[] }>;
  readonly close: () => void;
}

export function openTerminal(baseUrl: string): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'daybook-cli-'));
  const session = {
    accessToken: 'token-1',
    refreshToken: 'r',
    issuedAtMs: Date.now(),
    lifetimeSeconds: 3600,
    email: 'a@b.example',
  };
  return {
    home,
    signIn: () => {
      const folder = join(home, '.config/daybook');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const content = JSON.stringify({ version: 1, servers: { [baseUrl]: session } });
      writeFileSync(join(folder, 'credentials.json'), content, { mode: 0o600 });
    },
    run: async (...args) => {
      const out: string[] = [];
      const code = await runDaybook(args, {
        env: { DAYBOOK_URL: baseUrl },
        home,
        nowMs: Date.now,
        print: (line) => out.push(line),
        say: () => undefined,
        page: (lines) => out.push(...lines),
        openBrowser: () => Promise.resolve(false),
        screen: { columns: 80, isTerminal: false },
        fetch,
      });
      return { code, out };
    },
    close: () => rmSync(home, { recursive: true }),
  };
}
