export { withdrawn } from './item-representation.ts';
export { ItemSchema } from './item-schema.ts';
export { readItemsPage } from './items-representation.ts';
export { bindingOf, readItemsQuery, readPosition, spanOf } from './items-query.ts';
