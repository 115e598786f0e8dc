import { evaluateNotes } from '../evaluate/evaluate-notes.ts';
import type { Evaluation, Rate, TrustRates } from '../evaluate/evaluation.ts';
import { summarize } from '../evaluate/evaluation.ts';
import { readLabels } from '../evaluate/labelled-note.ts';
import type { NoteScore } from '../evaluate/note-score.ts';
import type { EvaluateOptions } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import type { Host } from './host.ts';
import { painter, percent, printable } from './terminal.ts';

/** Compares the proposals of a scan with the labels of a file. Nothing is stored. */
export async function evaluateCommand(options: EvaluateOptions, host: Host): Promise<number> {
  const scores = await evaluateNotes(readLabels(options.file), options.vaults, {
    classify: host.classify,
    onVault: (name) => host.stderr.write(`Scanning ${printable(name)}\n`),
  });
  const evaluation = summarize(scores);
  if (options.json) {
    host.stdout.write(`${JSON.stringify({ ...evaluation, wrong: scores.filter(isWrong).map(answerOf) })}\n`);
    return exitCodes.done;
  }
  const paint = painter(host.stdout);
  const lines = [...rateLines(evaluation), '', paint('bold', 'Wrong or cut')];
  for (const score of scores.filter(isWrong)) lines.push(wrongLine(score));
  host.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.done;
}

function rateLines(evaluation: Evaluation): readonly string[] {
  const { notes, cut, acceptable, best, trusted, targetsMax } = evaluation;
  return [
    `${notes} labelled notes`,
    line('Should stay whole and were cut', shown(cut)),
    line('Decision acceptable', shown(acceptable)),
    line('Decision equals the label', shown(best)),
    line('Trusted and right', trustShown(trusted)),
    ...Object.entries(evaluation.trustedByVault).map(([name, rates]) =>
      line(`  ${printable(name)}`, trustShown(rates)),
    ),
    line('Trust fitted on these labels', trustShown(evaluation.trustedFitted)),
    line('Trust fitted on the other vaults', trustShown(evaluation.trustedLeftOut)),
    line('Targets of one note, at most', String(targetsMax)),
    line('Decisions for 1,000 notes, one by one', evaluation.singleDecisions.toFixed(0)),
    line('Decisions for 1,000 notes, in groups', evaluation.groupDecisions.toFixed(0)),
    ...learningLines(evaluation),
    'Right, by kind of evidence',
    ...Object.entries(evaluation.rightByBasis).map(([basis, rate]) => line(`  ${basis}`, shown(rate))),
    'Decision acceptable, by kind',
    ...Object.entries(evaluation.acceptableByKind).map(([kind, rate]) =>
      line(`  ${printable(kind)}`, shown(rate)),
    ),
  ];
}

/** One vault is one user: the effect is of the decisions about its own notes. */
function learningLines({ learning }: Evaluation): readonly string[] {
  const all = Object.values(learning);
  const total = (kind: 'accepting' | 'exact', way: 'without' | 'with'): string => {
    const notes = all.reduce((sum, effects) => sum + effects[kind].notes, 0);
    const decisions = all.reduce((sum, effects) => sum + effects[kind][way] * effects[kind].notes, 0);
    return (decisions / Math.max(notes, 1)).toFixed(0);
  };
  const effect = (without: string, learned: string): string => `${without} without, ${learned} with`;
  return [
    line(
      'Decisions for 1,000 labelled notes',
      `${effect(total('accepting', 'without'), total('accepting', 'with'))} learning`,
    ),
    line(
      '  if only the label itself is right',
      `${effect(total('exact', 'without'), total('exact', 'with'))} learning`,
    ),
    ...Object.entries(learning).map(([name, effects]) =>
      line(
        `  ${printable(name)}`,
        `${effect(effects.accepting.without.toFixed(0), effects.accepting.with.toFixed(0))}; exact: ${effect(effects.exact.without.toFixed(0), effects.exact.with.toFixed(0))} learning`,
      ),
    ),
  ];
}

function line(name: string, value: string): string {
  return `${name.padEnd(40)} ${value}`;
}

function shown({ part, whole }: Rate): string {
  return `${whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`} (${part} of ${whole})`;
}

function trustShown({ right, coverage }: TrustRates): string {
  return `${shown(right)}, coverage ${shown(coverage)}`;
}

function isWrong({ isRight, isCut }: NoteScore): boolean {
  return !isRight || isCut;
}

function wrongLine({ label, target, confidence, chunks, isCut }: NoteScore): string {
  const cut = isCut ? `, cut into ${chunks}` : '';
  const wanted = [label.target, ...label.acceptable].join(', ');
  return printable(
    `  ${label.vault}/${label.path} (${label.kind}): ${target ?? 'none'} ${percent(confidence)}${cut}; label ${wanted}`,
  );
}

function answerOf({ label, target, confidence, chunks, isCut, isRight }: NoteScore): object {
  const { vault, path, kind } = label;
  return { vault, path, kind, target, confidence, chunks, isCut, isRight, label: label.target };
}
