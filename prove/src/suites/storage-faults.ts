import type { Suite } from '@daybook/evidence';

import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { storeUnderFaults } from '../storage/faulty-storing.ts';

export const suite: Suite = {
  name: 'storage-faults',
  summary:
    'api processes killed and database connections cut while clients store, overwrite, delete and restore',
  promise:
    'Two api processes on one folder are killed (kill -9) and lose their database connections again and again while clients store files in one request, in two and in pieces by tus, overwrite, delete and restore them, and the worker’s sweeps run beside them with no grace at all. Afterwards every file is there that a client was told is stored, byte for byte by SHA-256; no row is without its bytes and no bytes are without a row; usage is the sum of sizes.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await openStorageStage(2);
    try {
      await storeUnderFaults(context, stage, null);
    } finally {
      await stage.stop();
    }
  },
};
