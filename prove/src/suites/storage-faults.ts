import type { Suite } from '@daybook/evidence';

import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { faultySettings, storeUnderFaults } from '../storage/faulty-storing.ts';

export const suite: Suite = {
  name: 'storage-faults',
  summary:
    'In a folder, no stored byte is lost or left behind while processes are killed and the database restarts.',
  promise:
    'Two api processes and two workers on one folder are killed (kill -9), lose their database sessions and the database itself (a crash) again and again, while clients store files of 0 bytes to 200 MB in one request, in two and in pieces by tus, overwrite, copy, move, rename, read, delete, restore and purge them and give them earlier contents again, and the workers remove what is over with no grace at all. Whoever reads meanwhile is never given other bytes. After a last sweep every content is there that a client was told is stored, byte for byte by SHA-256, as the current or an earlier version, and in every copy; what was purged is gone; no row is without its bytes and no bytes are without a row; usage is the sum of sizes.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await openStorageStage(2, undefined, faultySettings);
    try {
      await storeUnderFaults(context, stage, null);
    } finally {
      await stage.stop();
    }
  },
};
