import { basename, dirname, extname } from 'node:path';

import type { Target } from '../targets/target.ts';
import { foundationalTargets, idealStateTargets, preferenceTargets } from '../targets/target.ts';

export type SourceKind = 'note' | 'agent-rules' | 'notion-page' | 'obsidian-note' | 'installation' | 'pasted';

/** What a file's name and place say, before anything in it is read. */
export interface SourceHint {
  readonly kind: SourceKind;
  /** Set where the file is by its name one of the targets: a rule file, or a file of another installation. */
  readonly target: Target | null;
  readonly reason: string;
}

const noteExtensions = new Set(['.md', '.markdown', '.txt', '.mdc']);
const ruleFiles = new Set([
  'agents.md',
  'claude.md',
  'gemini.md',
  'copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
]);
const notionPage = / [0-9a-f]{32}\.md$/i;
/** Folders whose files are named after the targets, in this layout and in others of the same system. */
const targetFolders = new Set(['foundation', 'telos', 'idealstate', 'preferences']);
const namedTargets = new Map<string, Target>([
  ...[...foundationalTargets, ...idealStateTargets, ...preferenceTargets].map(
    (target) => [target, target] as const,
  ),
  ['PRINCIPAL_IDENTITY', 'PRINCIPAL_IDENTITY'],
]);

export function isReadable(name: string): boolean {
  return noteExtensions.has(extname(name).toLowerCase()) || ruleFiles.has(name.toLowerCase());
}

export function sourceHint(path: string, inObsidianVault: boolean): SourceHint {
  const name = basename(path);
  if (ruleFiles.has(name.toLowerCase()) || extname(name).toLowerCase() === '.mdc') {
    return { kind: 'agent-rules', target: 'AI_RULES', reason: `${name} is a file of rules for agents` };
  }
  const target = namedTargets.get(basename(name, extname(name)));
  const folder = basename(dirname(path))
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  if (target !== undefined && (targetFolders.has(folder) || target === 'PRINCIPAL_IDENTITY')) {
    return { kind: 'installation', target, reason: `${name} of another installation` };
  }
  if (notionPage.test(name)) return { kind: 'notion-page', target: null, reason: '' };
  return { kind: inObsidianVault ? 'obsidian-note' : 'note', target: null, reason: '' };
}

/** What stays where it is, and why: said in the scan so that nobody thinks it was moved. */
export type NotedKind =
  | 'attachment'
  | 'database'
  | 'link'
  | 'special file'
  | 'too large'
  | 'unreadable'
  | 'set aside';

export function notedKind(name: string): NotedKind {
  return extname(name).toLowerCase() === '.csv' ? 'database' : 'attachment';
}
