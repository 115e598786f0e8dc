import { fileURLToPath } from 'node:url';

import { bundlePrograms } from '@daybook/bundle';
import { runCommand } from '@daybook/evidence';

import { renewScale } from './scale/renew-scale.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

process.exitCode = await runCommand({
  name: 'bench',
  suitesFolder: new URL('./suites/', import.meta.url),
  root,
  document: `${root}docs/benchmarks.md`,
  today: new Date().toISOString().slice(0, 10),
  arguments: process.argv.slice(2),
  bundle: (programs) => bundlePrograms({ root, programs }),
  print: (line) => console.log(line),
  note: (line) => console.error(line),
});
if (process.argv.includes('--update-docs')) for (const fault of renewScale(root)) console.error(fault);
