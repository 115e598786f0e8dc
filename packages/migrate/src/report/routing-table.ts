import type { Paint } from '../cli/terminal.ts';
import { percent, plural } from '../cli/terminal.ts';
import type { RoutingSummary } from './routing-summary.ts';

/** The proposed routing as a person reads it. */
export function routingTable(summary: RoutingSummary, paint: Paint): string {
  if (summary.routing.length === 0) return '  No pending chunks.';
  const width = Math.max(18, ...summary.routing.map(({ target }) => target.length));
  const rows = summary.routing.map(({ target, count, averageConfidence }) => {
    const name = target === 'UNCLEAR' ? paint('yellow', target.padEnd(width)) : target.padEnd(width);
    const average = target === 'UNCLEAR' ? '–' : percent(averageConfidence);
    return `  ${name}  ${count.toLocaleString('en-US').padStart(7)}  ${average.padStart(10)}`;
  });
  return [
    paint('bold', `  ${'Target'.padEnd(width)}  ${'Chunks'.padStart(7)}  ${'Confidence'.padStart(10)}`),
    ...rows,
    '',
    `  Trusted (70 % or more): ${summary.trusted.toLocaleString('en-US')}`,
    `  Medium (40 % to 70 %): ${summary.mediumConfidence.toLocaleString('en-US')}`,
    `  Low confidence (below 40 %): ${summary.lowConfidence.toLocaleString('en-US')}`,
    `  UNCLEAR: ${summary.unclear.toLocaleString('en-US')}`,
  ].join('\n');
}

export function stateLine(summary: RoutingSummary): string {
  const { states } = summary;
  const parts = (['scanned', 'approved', 'modified', 'rejected', 'unclear', 'committed'] as const).map(
    (state) => `${states[state].toLocaleString('en-US')} ${state}`,
  );
  return `${plural(summary.chunks, 'chunk')}: ${parts.join(', ')}`;
}
