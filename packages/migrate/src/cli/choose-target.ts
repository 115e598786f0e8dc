import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';
import type { Dialog } from './dialog.ts';

interface TargetQuestion {
  readonly except: readonly Target[];
  /** Listed first. */
  readonly likely?: readonly Target[];
}

/** Null for the way back, which alone is preselected. */
export function chooseTarget(
  dialog: Dialog,
  { except, likely = [] }: TargetQuestion,
): Promise<Target | null> {
  const offered = [...new Set([...likely, ...targets])].filter(
    (target) => target !== 'UNCLEAR' && !except.includes(target),
  );
  return dialog.select<Target | null>({
    message: 'Which target?',
    choices: [
      { value: null, label: 'Back', hint: 'move nothing' },
      ...offered.map((value) => ({
        value,
        label: value,
        ...(likely.includes(value) ? { hint: 'likely' } : {}),
      })),
    ],
    initial: null,
    isSearched: true,
  });
}
