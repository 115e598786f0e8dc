import type { NewsSet } from '../news/news-load.ts';
import { loadCluster } from '../news/saved-cluster.ts';

// Loads one set into the folder that the first argument names.
const [folder = '', text = ''] = process.argv.slice(2);
const set = JSON.parse(text) as NewsSet;
const count = (set.inWindow + set.older).toLocaleString('en-US');
console.error(`  loading ${count} items`);
await loadCluster(folder, set, (line) => console.error(`  ${line} of ${count}`));
