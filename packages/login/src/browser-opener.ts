import { spawn } from 'node:child_process';

/** As an argument of its own, past any shell. On Windows `start` would need one, and would read `&` as its own. */
function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/** False where the machine has nothing to open addresses with. The browser outlives us. */
export function openBrowser(address: string): Promise<boolean> {
  const [program, ...args] = openerOf(process.platform);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => resolve(false)).once('spawn', () => resolve(true));
  child.unref();
  return promise;
}
