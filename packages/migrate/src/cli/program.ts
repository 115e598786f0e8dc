import { readFileSync } from 'node:fs';

import { LabelError } from '../evaluate/labelled-note.ts';
import { QueueBusyError, QueueError } from '../queue/queue-database.ts';
import { isDiskFull, SourceError } from '../sources/source-walk.ts';
import { ZipError } from '../sources/zip-archive.ts';
import { approveCommand, RefusedError } from './approve-command.ts';
import type { Command } from './command-line.ts';
import { parseCommand, UsageError } from './command-line.ts';
import { evaluateCommand } from './evaluate-command.ts';
import { exitCodes } from './exit-code.ts';
import { helpTexts } from './help-text.ts';
import type { Host } from './host.ts';
import { indexCommand } from './index-command.ts';
import { scanCommand } from './scan-command.ts';
import { statusCommand } from './status-command.ts';
import { printable } from './terminal.ts';
import { undoCommand } from './undo-command.ts';

/** The name it was started by: of a single command, as the document has them, or of all. */
export type Tool = 'scan' | 'approve' | 'all';

/** Runs one command line and returns its exit code. */
export async function runProgram(tool: Tool, args: readonly string[], host: Host): Promise<number> {
  try {
    const [name, rest] = tool === 'all' ? [args[0] ?? '--help', args.slice(1)] : [tool, args];
    if (tool === 'all' && (name === '--help' || name === '-h' || name === 'help'))
      return show(host, helpTexts.all);
    if (tool === 'all' && name === '--version') return show(host, version());
    return await runCommand(parseCommand(name, rest, host), host, helpTexts[tool]);
  } catch (error) {
    const { code, message } = explain(error);
    host.stderr.write(`${printable(message)}\n`);
    return code;
  }
}

async function runCommand(command: Command, host: Host, help: string): Promise<number> {
  if (command.name === 'help') return show(host, help);
  if (command.name === 'version') return show(host, version());
  if (command.name === 'scan') return scanCommand(command.options, host);
  if (command.name === 'approve') return approveCommand(command.options, host);
  if (command.name === 'index') return indexCommand(command.options, host);
  if (command.name === 'evaluate') return evaluateCommand(command.options, host);
  return command.name === 'undo' ? undoCommand(command.options, host) : statusCommand(command.options, host);
}

function version(): string {
  const source = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(source) as { readonly version: string }).version;
}

function show(host: Host, text: string): number {
  host.stdout.write(`${text}\n`);
  return exitCodes.done;
}

const diskFull =
  'The disk is full. Free some space, then run the same command again: it continues where it stopped.\nYour notes are unchanged, and no file of the knowledge base is incomplete.';

function explain(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof UsageError) return { code: exitCodes.usage, message: `${error.message}\nSee --help.` };
  if (error instanceof RefusedError) return { code: exitCodes.refused, message: error.message };
  if (error instanceof QueueBusyError) return { code: exitCodes.busy, message: error.message };
  if (
    error instanceof SourceError ||
    error instanceof QueueError ||
    error instanceof LabelError ||
    error instanceof ZipError
  ) {
    return { code: exitCodes.failed, message: error.message };
  }
  if (isDiskFull(error)) return { code: exitCodes.failed, message: diskFull };
  return {
    code: exitCodes.failed,
    message: `Failed: ${error instanceof Error ? error.message : String(error)}`,
  };
}
