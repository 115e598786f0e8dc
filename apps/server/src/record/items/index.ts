export { itemJson, withBaseUrl } from './item-body.ts';
export { setVersion } from './item-digest.ts';
export { searchTermsOf } from './search-text.ts';
