/** The resource usage of a measured server so far. */
export interface ServerUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Tells the parent process that this one listens; then reports its usage on request. */
export function announceReady(hello: object): void {
  process.send?.(hello);
  process.on('message', () => process.send?.(usage()));
  process.on('disconnect', () => process.exit(0));
}

function usage(): ServerUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() };
}
