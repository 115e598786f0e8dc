import { readFile } from 'node:fs/promises';

/** The names of all settings that the configuration reads, from its source. */
export async function readSettingNames(): Promise<readonly string[]> {
  const code = await readFile(new URL('../src/config/config.ts', import.meta.url), 'utf8');
  return [...code.matchAll(/environment\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name);
}
