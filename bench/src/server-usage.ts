/** What a measured server has used so far. */
export interface ServerUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Tells whoever started this process that it listens; from then on says what it has used whenever it is asked. */
export function sayHello(hello: object): void {
  process.send?.(hello);
  process.on('message', () => process.send?.(usage()));
  process.on('disconnect', () => process.exit(0));
}

function usage(): ServerUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() };
}
