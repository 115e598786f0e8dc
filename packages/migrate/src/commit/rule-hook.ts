import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { ProvenanceStamp } from './provenance.ts';
import { provenanceComment } from './provenance.ts';

/** A hook that does nothing yet: the rule stands in it as comments, and what it checks is for the person to write. */
export function ruleHook(chunk: QueuedChunk, body: string, stamp: ProvenanceStamp): string {
  const lines = body.split('\n').map((line) => `# ${line.replace(/[\p{Cc}]/gu, ' ')}`.trimEnd());
  return ['#!/bin/sh', `# ${provenanceComment(chunk, stamp)}`, '#', ...lines, 'exit 0', ''].join('\n');
}
