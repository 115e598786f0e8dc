export { startCluster } from './cluster.ts';
export type { Cluster } from './cluster.ts';
