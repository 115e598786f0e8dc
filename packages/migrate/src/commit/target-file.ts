import { basename } from 'node:path';

import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { TargetLayout, TargetPlace } from '../targets/target-layout.ts';
import { noteFileName } from './note-title.ts';
import { CommitRefusedError } from './safe-path.ts';

/** A harness writes these itself and reads them automatically; a migration must never write to them. */
const harnessMemory = /(?:^|[/\\])(?:memory|memories|feedback[^/\\]*|MEMORY\.md|CLAUDE\.md)(?:$|[/\\])/i;

/** Where a chunk goes, relative to the root; a rule for agents only once it has a destination. */
export function placeOf(chunk: QueuedChunk, layout: TargetLayout): TargetPlace {
  const target = destinationOf(chunk);
  if (target === 'UNCLEAR') throw new CommitRefusedError('choose a target for the UNCLEAR chunk first');
  if (target !== 'AI_RULES') return layout.place(target);
  const rule = chunk.consent.rule;
  if (rule === undefined) throw new CommitRefusedError('choose a destination for the rule for agents first');
  if (rule.kind === 'hook') return { kind: 'folder', path: layout.hooks };
  if (rule.kind === 'permission') return { kind: 'file', path: layout.settings };
  if (rule.kind === 'gotcha')
    return { kind: 'file', path: `${layout.skills}/${noteFileName(rule.skill)}/GOTCHAS.md` };
  return { kind: 'file', path: layout.ruleFile };
}

export function refuseHarnessMemory(chunk: QueuedChunk, path: string): void {
  if (destinationOf(chunk) === 'AI_RULES' && harnessMemory.test(path)) {
    throw new CommitRefusedError('rules are never written to the memory files of an agent');
  }
}

/** The first line of a target file that did not exist. */
export function newFileHeading(path: string): string {
  const words = basename(path, '.md').replace(/[_.]/g, ' ').toLowerCase();
  return `# ${words.charAt(0).toUpperCase()}${words.slice(1)}\n`;
}
