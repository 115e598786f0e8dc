import { parseArgs } from 'node:util';

import { readConfig } from '../config/config.ts';
import { drill } from '../wiring/drill/drill.ts';
import type { Step } from '../wiring/restore/restore-check.ts';
import { readRevocationFile } from '../wiring/restore/revocation-file.ts';
import type { Command } from './command-line.ts';
import { UsageError, printStep } from './command-line.ts';

export const run: Command['run'] = async (rest) => {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...rest],
    options: {
      folder: text,
      restore: text,
      bin: text,
      account: text,
      revocations: text,
      json: { type: 'boolean', default: false },
    },
  });
  const { folder, restore, bin, account = 'postgres', revocations: path, json } = values;
  if (folder === undefined || restore === undefined || bin === undefined) throw new UsageError();
  const revocations = path === undefined ? null : await readRevocationFile(path);
  const steps: Step[] = [];
  for await (const step of drill(readConfig(process.env), { folder, restore, bin, account }, revocations)) {
    steps.push(step);
    if (!json) printStep(step);
  }
  const ok = steps.every((step) => step.ok);
  if (json) console.log(JSON.stringify({ ok, steps }));
  else
    console.log(
      ok
        ? 'This backup can be restored.'
        : 'This backup cannot be restored: correct what failed, and try again.',
    );
  if (!ok) process.exitCode = 1;
};
