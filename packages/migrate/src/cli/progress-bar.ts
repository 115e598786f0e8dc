import type { Host } from './host.ts';

export interface ProgressBar {
  readonly update: (done: number, detail: string) => void;
  readonly end: () => void;
}

const barCells = 24;
const redrawEveryMs = 80;

/**
 * One line on standard error during long work; no output if that is no terminal. Drawn from within the work and not
 * by a timer, which would not fire while a large note is parsed. A total of null shows a moving mark.
 */
export function progressBar(host: Host, label: string, total: number | null): ProgressBar {
  if (!host.stderr.isTTY) return { update: () => undefined, end: () => undefined };
  let drawnAt = 0;
  let steps = 0;
  return {
    update: (done, detail) => {
      const now = performance.now();
      if (now - drawnAt < redrawEveryMs) return;
      drawnAt = now;
      steps += 1;
      const line = ` ${label} ${cells(done, total, steps)} ${detail}`;
      host.stderr.write(`\r\u001b[K${line.slice(0, Math.max(20, host.stderr.columns - 1))}`);
    },
    end: () => {
      host.stderr.write('\r\u001b[K');
    },
  };
}

function cells(done: number, total: number | null, steps: number): string {
  if (total === null) {
    const at = steps % barCells;
    return `${'─'.repeat(at)}━${'─'.repeat(barCells - at - 1)}`;
  }
  const full = total === 0 ? barCells : Math.round((barCells * Math.min(done, total)) / total);
  return `${'━'.repeat(full)}${'─'.repeat(barCells - full)}`;
}
