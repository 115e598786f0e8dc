import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { readSamples } from './markdown-samples.ts';

const run = promisify(execFile);

export interface SampleWorld {
  /** Of a running server. */
  readonly url: string;
  /** Programs are written here, and find their packages from here. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs the samples of one document in its language, with the address of this server. Returns what each printed. */
export async function runSamples(
  document: string,
  language: 'sh' | 'ts',
  { url, folder, environment: env }: SampleWorld,
): Promise<readonly string[]> {
  const printed: string[] = [];
  const samples = (await readSamples(document)).filter((sample) => sample.language === language);
  for (const [at, { text }] of samples.entries()) {
    const sample = text.replaceAll('http://localhost:8080', url);
    if (language === 'sh') {
      // `prove packages` covers installation by name.
      const command = sample.replaceAll(/^npm install .*\n/gm, '');
      printed.push((await run('bash', ['-euc', command], { env, cwd: folder })).stdout);
    } else {
      const program = join(folder, `sample-${at}.mjs`);
      await writeFile(program, sample);
      printed.push((await run(process.execPath, [program], { env, cwd: folder })).stdout);
    }
  }
  return printed;
}
