import { basename, extname } from 'node:path';

import type { Installation } from '../targets/installation.ts';
import { placedTarget } from '../targets/installation.ts';
import type { Target } from '../targets/target.ts';

export type SourceKind = 'note' | 'agent-rules' | 'notion-page' | 'obsidian-note' | 'installation' | 'pasted';

/** The kind of a file by its name and place, before its content is read. */
export interface SourceHint {
  readonly kind: SourceKind;
  /** Set where that settles it: a rule file, or a file of another installation. */
  readonly target: Target | null;
  readonly reason: string;
}

const noteExtensions = new Set(['.md', '.markdown', '.txt', '.mdc', '.org']);
const ruleFiles = new Set([
  'agents.md',
  'claude.md',
  'gemini.md',
  'copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
]);
const notionPage = / [0-9a-f]{32}(?:\.(?:md|html|csv)|_all\.csv)$/i;

export function isReadable(name: string): boolean {
  return noteExtensions.has(extname(name).toLowerCase()) || ruleFiles.has(name.toLowerCase());
}

export function isRuleFile(name: string): boolean {
  return ruleFiles.has(name.toLowerCase()) || extname(name).toLowerCase() === '.mdc';
}

/** `path` is relative to the folder that the installation was looked for in. */
export function sourceHint(path: string, installation: Installation, inObsidianVault: boolean): SourceHint {
  const name = basename(path);
  if (isRuleFile(name)) {
    return { kind: 'agent-rules', target: 'AI_RULES', reason: `${name} is a file of rules for agents` };
  }
  const target = placedTarget(installation, path);
  if (target !== null) {
    return {
      kind: 'installation',
      target,
      reason: `it is ${name} of another installation of the same system`,
    };
  }
  if (notionPage.test(name)) return { kind: 'notion-page', target: null, reason: '' };
  return { kind: inObsidianVault ? 'obsidian-note' : 'note', target: null, reason: '' };
}

/** Why a file is not read, as shown to the user. */
export type SkippedStatus =
  | 'attachment'
  | 'database'
  | 'link'
  | 'special file'
  | 'too large'
  | 'unreadable'
  | 'set aside'
  /** An export whose notes are listed by themselves. */
  | 'converted'
  /** Text that only the other program can decrypt. */
  | 'encrypted'
  /** Part of an export that is in no note. */
  | 'remainder';

/** What became of a file at the latest scan. */
export type FileStatus =
  | SkippedStatus
  | 'read'
  | 'blank'
  | 'binary'
  /** Several encodings are possible, and the user has not chosen one. */
  | 'encoding unclear'
  /** It was read earlier and is not there any more. */
  | 'gone';

export function skippedStatus(name: string): SkippedStatus {
  return extname(name).toLowerCase() === '.csv' ? 'database' : 'attachment';
}
