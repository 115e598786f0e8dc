import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../src/config/', import.meta.url);

/** The names of all settings that the configuration reads, from its sources. */
export async function readSettingNames(): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  return [...sources.join('\n').matchAll(/environment\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name);
}
