import { randomBytes } from 'node:crypto';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { startBucketServer } from '@daybook/local-bucket';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { measureFolderPages } from '../storage/folder-pages.ts';
import { measureNginxDownloads } from '../storage/nginx-downloads.ts';
import type { StorageClient } from '../storage/storage-clients.ts';
import { createApiClient, createBareClient } from '../storage/storage-clients.ts';

export const suite: Suite = {
  name: 'storage',
  summary: 'files through the storage API and past it, beside the bare SDK against the same bucket',
  promise:
    'The same bytes, kept and read through one api process and by its signed addresses, beside the bare AWS SDK against the same Ceph gateway, all on one machine; rounds alternate. The bare SDK signs the hash of what it sends, as it does without TLS; a direct upload goes to addresses that were signed before. Downloads that nginx reads itself (`X-Accel-Redirect`), from a folder and from the bucket, are compared with the same nginx and the same location without the api. The memory of the api is its growth over uploads at once. Pages of a large folder are compared with those of a small one in the same project, by the buffers that PostgreSQL touches for the query of the list; walks up and down folders by the same measure, while statistics call all projects small.',
  run: async (context) => {
    const server = await startBucketServer();
    try {
      // Deleted files count until they are purged.
      const stage = await openStorageStage(1, server, { DAYBOOK_STORAGE_QUOTA_GIGABYTES: '1000' });
      try {
        const projectId = await stage.newProject('bench');
        const clients = { ours: createApiClient(stage, projectId), bare: createBareClient(server) };
        await compareLarge(context, clients);
        await compareSmall(context, clients);
        await measureMemory(context, stage, clients.ours);
      } finally {
        await stage.stop();
      }
      await measureNginxDownloads(context, server);
    } finally {
      await server.remove();
    }
    await measureFolderPages(context);
  },
};

interface Clients {
  readonly ours: StorageClient;
  readonly bare: StorageClient;
}

async function compareLarge(context: SuiteContext, clients: Clients): Promise<void> {
  const size = (context.quick ? 32 : 1_024) * 1024 ** 2;
  const bytes = randomBytes(size);
  const rounds = context.quick ? 3 : 5;
  const rates = { parts: rate(), simple: rate(), tus: rate(), download: rate(), address: rate() };
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, client] of Object.entries(clients) as [keyof Clients, StorageClient][]) {
      const measure = async <Answer>(of: keyof typeof rates, act: () => Promise<Answer>): Promise<Answer> => {
        const start = performance.now();
        const answer = await act();
        if (round >= 0) rates[of][name].push(size / 1e6 / ((performance.now() - start) / 1_000));
        return answer;
      };
      const inParts = await measure('parts', () => client.putInParts(bytes));
      const whole = await measure('simple', () => client.put(bytes));
      const resumable = await measure('tus', () => client.putByTus(bytes));
      const came = [
        await measure('download', () => client.get(whole)),
        await measure('address', () => client.getByAddress(inParts)),
      ];
      if (came.some((count) => count !== size)) throw new Error(`${name} read ${came.join()} bytes`);
      await client.remove(inParts);
      await client.remove(whole);
      await client.remove(resumable);
    }
  }
  const megabytes = `${size / 1024 ** 2} MiB`;
  const ratio = (name: string, of: keyof typeof rates, atLeast: number, reached = atLeast): void =>
    context.ratio({ name: `${megabytes}, ${name}`, unit: 'MB/s', ...rates[of], goal: { atLeast }, reached });
  // All runs on the cores that the gateway and the client need as well: whatever passes the api costs them once more.
  ratio('direct upload in parts', 'parts', 0.95);
  ratio('upload in one request', 'simple', 0.7);
  ratio('upload by tus in one request', 'tus', 0.7, 0.6);
  ratio('download through the api', 'download', 0.8, 0.5);
  ratio('download by address', 'address', 0.95, 0.5);
}

function rate(): { readonly ours: number[]; readonly bare: number[] } {
  return { ours: [], bare: [] };
}

async function compareSmall(context: SuiteContext, clients: Clients): Promise<void> {
  const bytes = randomBytes(64 * 1024);
  const count = context.quick ? 30 : 400;
  const rates = rate();
  for (let round = -1; round < (context.quick ? 3 : 7); round += 1) {
    for (const [name, client] of Object.entries(clients) as [keyof Clients, StorageClient][]) {
      const start = performance.now();
      let left = count;
      const work = async (): Promise<void> => {
        while ((left -= 1) >= 0) await client.put(bytes);
      };
      await Promise.all(Array.from({ length: 8 }, work));
      if (round >= 0) rates[name].push(count / ((performance.now() - start) / 1_000));
    }
  }
  context.ratio({
    name: 'files of 64 KiB, eight at once',
    unit: 'files/s',
    ...rates,
    goal: { atLeast: 0.4 },
    // One request to the bucket for the bare one, and around it some statements of PostgreSQL on the same cores.
    reached: 0.3,
  });
}

/** Uploads at once, each of which is much larger than what memory may grow by. */
async function measureMemory(context: SuiteContext, stage: StorageStage, ours: StorageClient): Promise<void> {
  // Of the 1 GB each that it should be, what fits into the memory of a machine with the bucket in it.
  const [uploads, size] = context.quick ? [8, 16] : [16, 512];
  const bytes = randomBytes(size * 1024 ** 2);
  const before = await residentBytes(stage);
  let peak = before;
  const look = async (): Promise<void> => {
    peak = Math.max(peak, await residentBytes(stage));
  };
  const watch = setInterval(() => void look().catch(() => {}), 200);
  await Promise.all(Array.from({ length: uploads }, () => ours.put(bytes)));
  clearInterval(watch);
  context.figure({
    name: `growth of the api, ${uploads} uploads of ${size} MiB at once`,
    value: (peak - before) / 1024 ** 2,
    unit: 'MiB',
    goal: { atMost: 64 },
  });
}

async function residentBytes({ processes }: StorageStage): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${processes[0]?.port ?? 0}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (.+)$/m.exec(text)?.[1]);
}
