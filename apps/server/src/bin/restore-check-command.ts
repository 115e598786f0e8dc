import { parseArgs } from 'node:util';

import { readConfig } from '../config/config.ts';
import type { Step } from '../wiring/restore/restore-check.ts';
import { checkRestoredDatabase } from '../wiring/restore/restore-check.ts';
import { readRevocationFile } from '../wiring/restore/revocation-file.ts';
import type { Command } from './command-line.ts';
import { UsageError, printStep } from './command-line.ts';

export const run: Command['run'] = async (rest) => {
  const { values } = parseArgs({
    args: [...rest],
    options: {
      revocations: { type: 'string' },
      'no-revocations': { type: 'boolean', default: false },
      'keep-keys': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { revocations: path, 'no-revocations': none, 'keep-keys': keepsKeys, json } = values;
  // Withdrawn text must not return by an option that was forgotten.
  if ((path === undefined) !== none) throw new UsageError();
  const config = readConfig(process.env);
  const revocations = path === undefined ? null : await readRevocationFile(path);
  const steps: Step[] = [];
  for await (const step of checkRestoredDatabase(config, { revocations, keepsKeys })) {
    steps.push(step);
    if (!json) printStep(step);
  }
  const ok = steps.every((step) => step.ok);
  if (json) console.log(JSON.stringify({ ok, steps }));
  else
    console.log(
      ok
        ? 'The database can be served. Start the api and worker processes.'
        : 'Do not serve this database yet.',
    );
  if (!ok) process.exitCode = 1;
};
