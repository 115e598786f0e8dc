import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { freePorts } from '../http/api-child.ts';
import { emptyEnvironment, environment } from './outside-programs.ts';

const run = promisify(execFile);

export interface LocalRegistry {
  /** An empty folder whose package managers ask this registry alone. */
  readonly emptyFolder: (name: string) => string;
  readonly stop: () => Promise<void>;
}

/** A real registry on loopback with these packages in it; what they depend on it fetches from where npm does here. */
export async function startRegistry(
  verdaccio: string,
  folder: string,
  tarballs: readonly string[],
): Promise<LocalRegistry> {
  const [port = 0] = await freePorts(1);
  const address = `http://127.0.0.1:${port}/`;
  const configuration = join(folder, 'verdaccio.json');
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { env: environment() });
  writeFileSync(configuration, JSON.stringify(settings(folder, stdout.trim())));
  const child = spawn(process.execPath, [verdaccio, '--config', configuration, '--listen', address], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes(address)) break;
  child.stdout.resume();
  const emptyFolder = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    // npm publishes only with a login; this registry accepts any.
    writeFileSync(
      join(path, '.npmrc'),
      `registry=${address}\n//127.0.0.1:${port}/:_authToken=anybody\ncache=${join(folder, 'npm-cache')}\n`,
    );
    writeFileSync(join(path, 'package.json'), '{ "private": true, "type": "module" }');
    return path;
  };
  const publisher = emptyFolder('publisher');
  for (const tarball of tarballs)
    await run('npm', ['publish', tarball], { cwd: publisher, env: emptyEnvironment() });
  return {
    emptyFolder,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function settings(folder: string, upstream: string): object {
  const own = { access: '$all', publish: '$all' };
  return {
    storage: join(folder, 'registry'),
    uplinks: { upstream: { url: upstream } },
    packages: {
      '@daybook/*': own,
      'daybook-*': own,
      '**': { access: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'json', level: 'warn' },
    max_body_size: '50mb',
  };
}
