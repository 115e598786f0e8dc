import { vi } from 'vitest';

/** Runs a command with these settings and no others of Daybook; returns what it prints and its exit code. */
export async function captureCommand(
  run: (words: string[]) => Promise<unknown>,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly out: string; readonly code: unknown }> {
  for (const name of Object.keys(process.env))
    if (/^(?:DAYBOOK|DATABASE)_/.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await run([...words]);
    return { out: log.mock.calls.flat().join('\n'), code: process.exitCode };
  } finally {
    process.exitCode = undefined;
    log.mockRestore();
    vi.unstubAllEnvs();
  }
}
