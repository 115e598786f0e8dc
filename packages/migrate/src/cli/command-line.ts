import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import type { SplitMode } from '../queue/group-sections.ts';
import { legacyName } from '../sources/encoding-detection.ts';
import type { LegacyEncoding } from '../sources/legacy-encoding.ts';
import { legacyEncodings } from '../sources/legacy-encoding.ts';
import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';
import type { Host } from './host.ts';

export class UsageError extends Error {}

export type ApproveMode =
  | { readonly kind: 'guided' | 'all' | 'review' }
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'restore'; readonly id: string }
  | { readonly kind: 'modify'; readonly id: string; readonly target: Target };

interface CommonOptions {
  readonly root: string;
  readonly json: boolean;
  readonly dryRun: boolean;
}

export type ScanOptions = CommonOptions & {
  readonly source: string | null;
  readonly split: SplitMode;
  readonly encoding: LegacyEncoding | null;
};
export type ApproveOptions = CommonOptions & { readonly mode: ApproveMode };
export type UndoChoice =
  | { readonly kind: 'latest' | 'all' }
  | { readonly kind: 'run' | 'chunk' | 'file'; readonly value: string };
export type UndoOptions = CommonOptions & { readonly choice: UndoChoice };
export type StatusOptions = CommonOptions & {
  readonly list: boolean;
  readonly rejected: boolean;
  readonly files: boolean;
  readonly where: string | null;
  readonly show: string | null;
  readonly report: string | null;
};

export type IndexOptions = CommonOptions & { readonly backlinks: boolean; readonly remove: boolean };

/** `file` has one label per line; the vaults it names are folders of `vaults`. */
export interface EvaluateOptions {
  readonly file: string;
  readonly vaults: string;
  readonly json: boolean;
}

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'scan'; readonly options: ScanOptions }
  | { readonly name: 'approve'; readonly options: ApproveOptions }
  | { readonly name: 'undo'; readonly options: UndoOptions }
  | { readonly name: 'status'; readonly options: StatusOptions }
  | { readonly name: 'index'; readonly options: IndexOptions }
  | { readonly name: 'evaluate'; readonly options: EvaluateOptions };

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
  scan: { ...everywhere, source: value, stdin: flag, whole: flag, sections: flag, encoding: value },
  approve: {
    ...everywhere,
    'approve-all': flag,
    'approve-target': value,
    review: flag,
    modify: value,
    target: value,
    restore: value,
  },
  undo: { ...everywhere, run: value, chunk: value, file: value, all: flag },
  status: {
    ...everywhere,
    list: flag,
    rejected: flag,
    files: flag,
    show: value,
    where: value,
    report: value,
  },
  index: { ...everywhere, backlinks: flag, remove: flag },
} as const;

type Values = Partial<Record<string, string | boolean>>;

export function parseCommand(name: string, args: readonly string[], host: Host): Command {
  if (name === 'evaluate') return parseEvaluate(args);
  if (!isCommand(name)) {
    throw new UsageError(`unknown command ${name}; use scan, approve, undo, status, index or evaluate`);
  }
  const values = parseValues(name, args);
  if (values['help'] === true) return { name: 'help' };
  if (values['version'] === true) return { name: 'version' };
  const common = {
    root: knowledgeRoot(text(values, 'root'), host),
    json: values['json'] === true,
    dryRun: values['dry-run'] === true,
  };
  if (name === 'scan') {
    const [split, encoding] = [splitModeOf(values), encodingOf(values)];
    return { name, options: { ...common, source: scanSourceOf(values), split, encoding } };
  }
  if (name === 'approve') return { name, options: { ...common, mode: approveModeOf(values) } };
  if (name === 'undo') return { name, options: { ...common, choice: undoChoiceOf(values) } };
  const isGiven = (flagName: string): boolean => values[flagName] === true;
  if (name === 'index')
    return { name, options: { ...common, backlinks: isGiven('backlinks'), remove: isGiven('remove') } };
  return {
    name,
    options: {
      ...common,
      list: isGiven('list'),
      rejected: isGiven('rejected'),
      files: isGiven('files'),
      show: text(values, 'show'),
      where: text(values, 'where'),
      report: text(values, 'report'),
    },
  };
}

function isCommand(name: string): name is keyof typeof flags {
  return Object.hasOwn(flags, name);
}

function parseEvaluate(args: readonly string[]): Command {
  const options = { vaults: value, json: flag, help: everywhere.help, version: flag } as const;
  const { values, positionals } = parseUsage(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  if (values.help) return { name: 'help' };
  if (values.version) return { name: 'version' };
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new UsageError('evaluate requires one file of labels');
  const vaults = resolve(text(values, 'vaults') ?? join(dirname(resolve(file)), 'vaults'));
  return { name: 'evaluate', options: { file: resolve(file), vaults, json: values.json } };
}

function undoChoiceOf(values: Values): UndoChoice {
  const choices: UndoChoice[] = values['all'] === true ? [{ kind: 'all' }] : [];
  for (const kind of ['run', 'chunk', 'file'] as const) {
    const given = text(values, kind);
    if (given !== null) choices.push({ kind, value: given });
  }
  if (choices.length > 1) throw new UsageError('--run, --chunk, --file and --all cannot be combined');
  return choices[0] ?? { kind: 'latest' };
}

/** An empty setting is a mistake in a script, and must not silently mean another folder. */
function knowledgeRoot(flag: string | null, { env, home }: Host): string {
  const setting = env['DAYBOOK_KNOWLEDGE'];
  if (flag === null && setting?.trim() === '')
    throw new UsageError('DAYBOOK_KNOWLEDGE is empty; set it to a folder, or unset it');
  return resolve(flag ?? setting ?? `${home}/Knowledge`);
}

function parseValues(name: keyof typeof flags, args: readonly string[]): Values {
  return parseUsage(
    () => parseArgs({ args: [...args], options: flags[name], allowPositionals: false }).values as Values,
  );
}

function parseUsage<T>(parse: () => T): T {
  try {
    return parse();
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
    throw new UsageError('use either --source <path> or --stdin');
  }
  return source;
}

function splitModeOf(values: Values): SplitMode {
  const [isWhole, isSections] = [values['whole'] === true, values['sections'] === true];
  if (isWhole && isSections) throw new UsageError('--whole and --sections cannot be combined');
  if (isWhole) return 'whole';
  return isSections ? 'sections' : 'auto';
}

function encodingOf(values: Values): LegacyEncoding | null {
  const name = text(values, 'encoding');
  const encoding = name === null ? null : legacyName(name);
  if (name !== null && encoding === null)
    throw new UsageError(`unknown encoding ${name}; choose one of ${legacyEncodings.join(', ')}`);
  return encoding;
}

function approveModeOf(values: Values): ApproveMode {
  const modify = text(values, 'modify');
  const target = text(values, 'target');
  const bulk = text(values, 'approve-target');
  const restore = text(values, 'restore');
  const modes: ApproveMode[] = [];
  if (restore !== null) modes.push({ kind: 'restore', id: restore });
  if (values['approve-all'] === true) modes.push({ kind: 'all' });
  if (values['review'] === true) modes.push({ kind: 'review' });
  if (bulk !== null) modes.push({ kind: 'target', target: parseTarget(bulk) });
  if ((modify === null) !== (target === null))
    throw new UsageError('--modify <id> requires --target <target>, and vice versa');
  if (modify !== null && target !== null)
    modes.push({ kind: 'modify', id: modify, target: parseTarget(target) });
  if (modes.length > 1) {
    throw new UsageError(
      '--approve-all, --approve-target, --review, --modify and --restore cannot be combined',
    );
  }
  return modes[0] ?? { kind: 'guided' };
}

/** Names are read whatever their case, and `PRINCIPAL_IDENTITY.md` as its file is called. */
export function parseTarget(name: string): Target {
  const wanted = name.replace(/\.md$/i, '').toLowerCase();
  const found = targets.find((target) => target.toLowerCase() === wanted);
  if (found === undefined)
    throw new UsageError(`unknown target ${name}; choose one of ${targets.join(', ')}`);
  return found;
}
