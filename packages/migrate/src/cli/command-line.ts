import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';
import type { Host } from './host.ts';

export class UsageError extends Error {}

export type ApproveMode =
  | { readonly kind: 'guided' | 'all' | 'review' }
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'modify'; readonly id: string; readonly target: Target };

interface CommonOptions {
  readonly root: string;
  readonly json: boolean;
  readonly dryRun: boolean;
}

export type ScanOptions = CommonOptions & { readonly source: string | null };
export type ApproveOptions = CommonOptions & { readonly mode: ApproveMode };
export type UndoOptions = CommonOptions & { readonly run: string | null; readonly all: boolean };
export type StatusOptions = CommonOptions & {
  readonly list: boolean;
  readonly show: string | null;
  readonly report: string | null;
};

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'scan'; readonly options: ScanOptions }
  | { readonly name: 'approve'; readonly options: ApproveOptions }
  | { readonly name: 'undo'; readonly options: UndoOptions }
  | { readonly name: 'status'; readonly options: StatusOptions };

const flag = { type: 'boolean', default: false } as const;
const value = { type: 'string' } as const;
const everywhere = {
  root: value,
  json: flag,
  help: { ...flag, short: 'h' },
  version: flag,
  'dry-run': flag,
} as const;
const flags = {
  scan: { ...everywhere, source: value, stdin: flag },
  approve: {
    ...everywhere,
    'approve-all': flag,
    'approve-target': value,
    review: flag,
    modify: value,
    target: value,
  },
  undo: { ...everywhere, run: value, all: flag },
  status: { ...everywhere, list: flag, show: value, report: value },
} as const;

type Values = Partial<Record<string, string | boolean>>;

export function parseCommand(name: string, args: readonly string[], host: Host): Command {
  if (name !== 'scan' && name !== 'approve' && name !== 'undo' && name !== 'status') {
    throw new UsageError(`there is no command ${name}; there are scan, approve, undo and status`);
  }
  const values = parseValues(name, args);
  if (values['help'] === true) return { name: 'help' };
  if (values['version'] === true) return { name: 'version' };
  const common = {
    root: resolve(text(values, 'root') ?? host.env['DAYBOOK_KNOWLEDGE'] ?? `${host.home}/Knowledge`),
    json: values['json'] === true,
    dryRun: values['dry-run'] === true,
  };
  if (name === 'scan') return { name, options: { ...common, source: scanSourceOf(values) } };
  if (name === 'approve') return { name, options: { ...common, mode: approveModeOf(values) } };
  if (name === 'undo')
    return { name, options: { ...common, run: text(values, 'run'), all: values['all'] === true } };
  const [show, report] = [text(values, 'show'), text(values, 'report')];
  return { name, options: { ...common, list: values['list'] === true, show, report } };
}

function parseValues(name: keyof typeof flags, args: readonly string[]): Values {
  try {
    return parseArgs({ args: [...args], options: flags[name], allowPositionals: false }).values as Values;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(/\. /)[0] ?? '') : '';
    throw new UsageError(reason.charAt(0).toLowerCase() + reason.slice(1));
  }
}

function text(values: Values, name: string): string | null {
  const found = values[name];
  if (found === '') throw new UsageError(`--${name} is empty`);
  return typeof found === 'string' ? found : null;
}

function scanSourceOf(values: Values): string | null {
  const source = text(values, 'source');
  if ((source === null) === (values['stdin'] !== true)) {
    throw new UsageError('give either --source <path> or --stdin');
  }
  return source;
}

function approveModeOf(values: Values): ApproveMode {
  const modify = text(values, 'modify');
  const target = text(values, 'target');
  const bulk = text(values, 'approve-target');
  const modes: ApproveMode[] = [];
  if (values['approve-all'] === true) modes.push({ kind: 'all' });
  if (values['review'] === true) modes.push({ kind: 'review' });
  if (bulk !== null) modes.push({ kind: 'target', target: parseTarget(bulk) });
  if ((modify === null) !== (target === null))
    throw new UsageError('--modify <id> and --target <target> go together');
  if (modify !== null && target !== null)
    modes.push({ kind: 'modify', id: modify, target: parseTarget(target) });
  if (modes.length > 1) {
    throw new UsageError('--approve-all, --approve-target, --review and --modify exclude each other');
  }
  return modes[0] ?? { kind: 'guided' };
}

/** Names are read whatever their case, and `PRINCIPAL_IDENTITY.md` as its file is called. */
export function parseTarget(name: string): Target {
  const wanted = name.replace(/\.md$/i, '').toLowerCase();
  const found = targets.find((target) => target.toLowerCase() === wanted);
  if (found === undefined)
    throw new UsageError(`there is no target ${name}; there are ${targets.join(', ')}`);
  return found;
}
