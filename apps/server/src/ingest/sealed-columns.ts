import type { SealedColumn } from '../foundation/sealing/sealed-column-store.ts';
import type { HubSubscriptionId } from './hubs/hub-subscription.ts';
import { hubSecretPurpose } from './hubs/subscription-secret.ts';
import { authorizationPurpose } from './sources/source-authorization.ts';

/** The encrypted columns of this domain. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    contents: 'feed passwords',
    table: 'newsroom.source',
    key: 'id',
    column: 'authorization_sealed',
    purposeColumn: 'feed_url',
    purposeOf: authorizationPurpose,
  },
  {
    contents: 'hub secrets',
    table: 'newsroom.hub_subscription',
    key: 'id',
    column: 'secret_sealed',
    purposeColumn: 'id',
    purposeOf: (id) => hubSecretPurpose(id as HubSubscriptionId),
  },
];
