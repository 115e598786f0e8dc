import type { Host } from './host.ts';

export interface ProgressBar {
  readonly update: (done: number, detail?: string) => void;
  readonly end: () => void;
}

const barCells = 24;
const redrawEveryMs = 80;
/** A speed from a shorter time says little about the time left. */
const ratedFromMs = 1000;

/**
 * One line on standard error during long work; no output if that is no terminal. Drawn from within the work and not
 * by a timer, which would not fire while a large note is parsed. A total of null shows a moving mark. The speed is
 * counted from the first update, so that the time for questions before it does not count.
 */
export function progressBar(
  host: Host,
  work: {
    readonly label: string;
    /** What is counted, such as `files`. */ readonly unit: string;
    readonly total: number | null;
  },
): ProgressBar {
  if (!host.stderr.isTTY) return { update: () => undefined, end: () => undefined };
  const { label, unit, total } = work;
  let first: { readonly done: number; readonly at: number } | null = null;
  let drawnAt = 0;
  let steps = 0;
  return {
    update: (done, detail = '') => {
      const now = performance.now();
      first ??= { done, at: now };
      if (now - drawnAt < redrawEveryMs) return;
      drawnAt = now;
      steps += 1;
      const speed = speedOf(done - first.done, now - first.at, total === null ? null : total - done);
      const parts = [countOf(done, total, unit), detail, ...speed].filter((part) => part !== '');
      const line = ` ${label} ${cells(done, total, steps)} ${parts.join(', ')}`;
      host.stderr.write(`\r\u001b[K${line.slice(0, Math.max(20, host.stderr.columns - 1))}`);
    },
    end: () => {
      host.stderr.write('\r\u001b[K');
    },
  };
}

function countOf(done: number, total: number | null, unit: string): string {
  const count = done.toLocaleString('en-US');
  return total === null || done > total
    ? `${count} ${unit}`
    : `${count} of ${total.toLocaleString('en-US')} ${unit}`;
}

/** Such as `410/s` and `9 s left`. */
export function speedOf(done: number, elapsedMs: number, left: number | null): readonly string[] {
  if (elapsedMs < ratedFromMs || done <= 0) return [];
  const rate = (1000 * done) / elapsedMs;
  const speed = `${rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en-US')}/s`;
  return left === null || left < 0 ? [speed] : [speed, `${duration(left / rate)} left`];
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function cells(done: number, total: number | null, steps: number): string {
  if (total === null) {
    const at = steps % barCells;
    return `${'─'.repeat(at)}━${'─'.repeat(barCells - at - 1)}`;
  }
  const full = total === 0 ? barCells : Math.round((barCells * Math.min(done, total)) / total);
  return `${'━'.repeat(full)}${'─'.repeat(barCells - full)}`;
}
