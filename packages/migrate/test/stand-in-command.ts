import { systemHost } from '../src/bin/system-host.ts';
import { runProgram } from '../src/cli/program.ts';
import type { Classify } from '../src/queue/scan-source.ts';
import { targets } from '../src/targets/target.ts';

/**
 * The real command with a classifier that tests can predict: a chunk that names a target goes there, with the
 * confidence it names (`GOALS 80`); what names none is UNCLEAR. The routing machinery is proved apart from any model.
 */
const classifyByName: Classify = ({ text }) => {
  const found = /\b([A-Za-z_]+) (\d{1,3})\b/.exec(text);
  const target = targets.find((name) => name === found?.[1]);
  if (target === undefined) return { target: 'UNCLEAR', confidence: 0, reasons: [], alternatives: [] };
  return {
    target,
    confidence: Number(found?.[2]) / 100,
    reasons: [`it names ${target}`],
    alternatives: [
      { target: 'WISDOM', confidence: 0.1 },
      { target: 'BELIEFS', confidence: 0.05 },
    ],
  };
};

process.exitCode = await runProgram('all', process.argv.slice(2), systemHost(classifyByName));
