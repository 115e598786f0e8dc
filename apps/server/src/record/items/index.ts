export { itemJson, withBaseUrl } from './item-body.ts';
export type { ItemBody } from './item-body.ts';
export { setVersion } from './item-digest.ts';
export { reasonIn } from './selection-reason.ts';
export { independentSources, voiceOf } from './voice-store.ts';
