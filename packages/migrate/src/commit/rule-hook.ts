import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { ProvenanceStamp } from './provenance.ts';
import { provenanceComment } from './provenance.ts';

/** A hook without a check: it contains the rule as comments, and the user writes the check. */
export function ruleHook(chunk: QueuedChunk, body: string, stamp: ProvenanceStamp): string {
  const lines = body.split('\n').map((line) => `# ${line.replace(/[\p{Cc}]/gu, ' ')}`.trimEnd());
  return ['#!/bin/sh', `# ${provenanceComment(chunk, stamp)}`, '#', ...lines, 'exit 0', ''].join('\n');
}
