import type { Suite } from '@daybook/evidence';
import { startBucketServer } from '@daybook/local-bucket';

import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { startBucketForwarder } from '../storage/bucket-forwarder.ts';
import { faultySettings, storeUnderFaults } from '../storage/faulty-storing.ts';

export const suite: Suite = {
  name: 'storage-faults-s3',
  nightly: true,
  summary:
    'On S3, no stored byte is lost or left behind while processes, database and gateway are killed and connections cut.',
  promise:
    'The same on a bucket of Ceph’s S3 gateway, which is killed as well, and all connections to which are cut, while clients also send parts to it themselves by signed addresses. After the last sweep no row is without its object either, and no object and no open multipart upload is without a row.',
  measuresNoTime: true,
  run: async (context) => {
    const starting = startBucketServer();
    try {
      const forwarding = starting.then(({ url }) => startBucketForwarder(url));
      const place = Promise.all([starting, forwarding]).then(([server, { url }]) => ({ ...server, url }));
      const stage = await openStorageStage(2, place, faultySettings);
      const [server, forwarder] = [await starting, await forwarding];
      try {
        await storeUnderFaults(context, stage, { server, forwarder });
      } finally {
        await stage.stop();
        await forwarder.close();
      }
    } finally {
      await (await starting).remove();
    }
  },
};
