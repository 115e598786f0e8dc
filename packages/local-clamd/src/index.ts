export { knownBytes, knownName, startClamd, whyNoClamd } from './clamd-server.ts';
export type { ClamdServer } from './clamd-server.ts';
