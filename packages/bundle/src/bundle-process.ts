import type { BundleOptions } from './bundle-programs.ts';
import { writeBundle } from './bundle-programs.ts';

// Writes one bundle and prints its folder.
process.stdout.write(await writeBundle(JSON.parse(process.argv[2] ?? '') as BundleOptions));
