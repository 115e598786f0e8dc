export { createWebhook, deleteWebhook } from './change-webhooks.ts';
export { presentWebhook } from './webhook-routes.ts';
export { selectWebhooks } from './webhook-store.ts';
export type { Webhook } from './webhook.ts';
export { webhookFormats } from './webhook.ts';
