import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';

const run = promisify(execFile);

interface Share {
  readonly part: number;
  readonly whole: number;
}

interface Trust {
  readonly coverage: Share;
  readonly right: Share;
}

interface Evaluation {
  readonly notes: number;
  readonly cut: Share;
  readonly acceptable: Share;
  readonly trusted: Trust;
  readonly trustedByVault: Readonly<Record<string, Trust>>;
  readonly trustedLeftOut: Trust;
  readonly groupDecisions: number;
}

export const suite: Suite = {
  name: 'notes',
  summary: 'whole notes of real vaults: cut, decided, trusted, and the number of questions',
  promise:
    'Notes of real vaults stay whole, go where their owner would accept them, and need few decisions; what is called trusted is right in every vault. The rules were written with these labels, and trust is also fitted on the other vaults of the set. Any other set of labels is measured by `daybook-migrate evaluate`.',
  measuresNoTime: true,
  dataSets: ['notes/whole-notes-dev.jsonl', 'notes/vaults'],
  run: async (context) => {
    const result = await evaluate(context);
    const percent = (name: string, share: Share, goal: { atLeast: number } | { atMost: number }): void =>
      context.figure({ name, value: (100 * share.part) / share.whole, unit: '%', goal });
    context.figure({ name: 'labelled notes', value: result.notes, unit: 'notes' });
    percent('should stay whole and were cut', result.cut, { atMost: 3 });
    percent('decision acceptable', result.acceptable, { atLeast: 85 });
    percent('trusted and right', result.trusted.right, { atLeast: 92 });
    percent('trusted', result.trusted.coverage, { atLeast: 50 });
    percent('trusted and right, trust fitted on the other vaults', result.trustedLeftOut.right, {
      atLeast: 92,
    });
    percent('trusted, trust fitted on the other vaults', result.trustedLeftOut.coverage, { atLeast: 50 });
    for (const [vault, trust] of Object.entries(result.trustedByVault)) {
      if (trust.coverage.whole >= 20) percent(`trusted and right in ${vault}`, trust.right, { atLeast: 85 });
    }
    context.figure({
      name: 'decisions for 1,000 notes, in groups',
      value: result.groupDecisions,
      unit: 'decisions',
      goal: { atMost: 75 },
    });
  },
};

async function evaluate(context: SuiteContext): Promise<Evaluation> {
  const program = join(context.root, 'packages/migrate/src/bin/daybook-migrate.ts');
  const { stdout } = await run(
    process.execPath,
    [
      program,
      'evaluate',
      context.data('notes/whole-notes-dev.jsonl'),
      '--vaults',
      context.data('notes/vaults'),
      '--json',
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Evaluation;
}
