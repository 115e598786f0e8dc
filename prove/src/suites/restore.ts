import type { Suite } from '@daybook/evidence';

import { proveChosenMoment } from '../restore/chosen-moment.ts';
import { proveLoss } from '../restore/disk-loss.ts';
import { describeMissingReceiver, prepareReceiver } from '../restore/wal-receiver.ts';

export const suite: Suite = {
  name: 'restore',
  nightly: true,
  summary:
    'After the loss of the database’s disk nothing answered is missing if pg_receivewal confirmed it; after a restore to an earlier moment nothing revoked or withdrawn since is valid or served.',
  headline: 'of the attacker’s credentials, valid after restore-check',
  promise:
    'An installation with continuous archiving, files and a signed log. First, its database is restored to a chosen moment. Who attacks: the former holder of a session, its refresh token and an API key, all revoked after that moment; and a reader who knows the address of an item withdrawn after it. Without `daybook restore-check` all of them succeed, which shows that the attack is real. After it, none does; what was written before the moment is there, also what only the archive has; a mirror’s earlier cursor is refused, and the mirror ends equal to the restored set; record, newsroom, storage, log and schema verify. Then the disk is destroyed at a random moment while items are published and files uploaded: with `pg_receivewal` as synchronous standby no answered write is missing; with the archive alone the loss is printed, and only the end is lost.',
  measuresNoTime: true,
  run: async (context) => {
    await proveChosenMoment(context);
    await proveLoss(context, null);
    const missing = describeMissingReceiver();
    if (missing === null) await proveLoss(context, await prepareReceiver(context.root));
    else context.didNotRun(`without pg_receivewal: ${missing}`);
  },
};
