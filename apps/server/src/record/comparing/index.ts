// What saved searches are compared with.
export * as comparedItems from './changed-item-store.ts';
export * as sourceNames from './source-name-store.ts';
