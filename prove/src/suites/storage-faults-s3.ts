import type { Suite } from '@daybook/evidence';
import { startBucketServer } from '@daybook/local-bucket';

import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { storeUnderFaults } from '../storage/faulty-storing.ts';

export const suite: Suite = {
  name: 'storage-faults-s3',
  summary: 'the same on S3, whose gateway is killed too while clients also send parts to it themselves',
  promise:
    'Two api processes on one bucket of Ceph’s S3 gateway are killed (kill -9), lose their database connections and the gateway itself again and again, while clients store files in one request, in two, in pieces by tus and by signed addresses of the bucket, overwrite, delete and restore them, and the worker’s sweeps run beside them with no grace at all. Afterwards every file is there that a client was told is stored, byte for byte by SHA-256; no row is without its object, no object and no open multipart upload is without a row; usage is the sum of sizes.',
  measuresNoTime: true,
  run: async (context) => {
    const server = startBucketServer();
    try {
      const stage = await openStorageStage(2, server);
      try {
        await storeUnderFaults(context, stage, await server);
      } finally {
        await stage.stop();
      }
    } finally {
      await (await server).remove();
    }
  },
};
