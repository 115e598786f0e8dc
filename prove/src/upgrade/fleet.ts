import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';
import { daybookOf } from './released-program.ts';

/** Two api processes and one worker, which are replaced one by one as the operating guide does. */
export interface Fleet {
  readonly replace: (folder: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface FleetSettings {
  readonly apiPorts: readonly number[];
  readonly workerPort: number;
  readonly settings: Readonly<Record<string, string>>;
}

export async function startFleet(
  folder: string,
  { apiPorts, workerPort, settings }: FleetSettings,
): Promise<Fleet> {
  const places = [
    ...apiPorts.map((port) => ({ command: 'api', port }) as const),
    { command: 'worker', port: workerPort } as const,
  ];
  const start = (source: string, { command, port }: (typeof places)[number]): Promise<DaybookChild> =>
    startDaybook(source, command, port, settings, [process.execPath, daybookOf(source), command]);
  const running = new Map<number, DaybookChild>();
  for (const place of places) running.set(place.port, await start(folder, place));
  return {
    replace: async (source) => {
      for (const place of places) {
        await running.get(place.port)?.stop();
        running.set(place.port, await start(source, place));
      }
    },
    stop: async () => {
      await Promise.all([...running.values()].map((child) => child.stop()));
    },
  };
}
