import { fileURLToPath } from 'node:url';

import { renewScale } from '../bench/src/scale/renew-scale.ts';

// Copies the recorded figures into docs/scale.md and draws its curves.
const faults = renewScale(fileURLToPath(new URL('../', import.meta.url)));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
