export { previewMail } from './compose-mail.ts';
export { deliveryLimits, readUndelivered } from './delivery-store.ts';
export { subscriptionPaths } from './mail-links.ts';
export { mailingWork } from './mailing-work.ts';
export {
  mailedKinds,
  openSubscription,
  requestSubscription,
  saveSubscription,
  unsubscribe,
} from './subscribe.ts';
export type { Mailing } from './subscribe.ts';
export { findByEmail as findSubscriptionByEmail } from './subscription-store.ts';
export type { Choices, Subscription } from './subscription-store.ts';
