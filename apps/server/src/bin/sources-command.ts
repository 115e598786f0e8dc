import { parseArgs } from 'node:util';

import { readConfig } from '../config/config.ts';
import { withSourceDesk } from '../wiring/ingest.ts';
import type { Command } from './command-line.ts';
import { UsageError } from './command-line.ts';
import { addAction, exportAction, importAction, installAction } from './sources/add-actions.ts';
import { discoverAction, listAction, previewAction, showAction } from './sources/show-actions.ts';
import type { SourcesInput } from './sources/sources-input.ts';
import { describeSourcesCommand, sourcesOptions } from './sources/sources-input.ts';
import { pauseAction, pollAction, removeAction, resumeAction } from './sources/state-actions.ts';

const actions = {
  add: addAction,
  import: importAction,
  export: exportAction,
  install: installAction,
  list: listAction,
  show: showAction,
  discover: discoverAction,
  preview: previewAction,
  poll: pollAction,
  pause: pauseAction,
  resume: resumeAction,
  remove: removeAction,
} as const;

export const run: Command['run'] = async ([name = '--help', ...rest]) => {
  if (name === '--help' || rest.includes('--help')) {
    console.log(describeSourcesCommand);
    return;
  }
  const action = Object.entries(actions).find(([known]) => known === name)?.[1];
  if (action === undefined) throw new UsageError();
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: sourcesOptions,
  });
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const input: SourcesInput = { values, positionals, print: (line) => console.log(line) };
  await withSourceDesk(readConfig(process.env), stopping.signal, (desk) => action(desk, input));
  if (stopping.signal.aborted) process.exitCode = 130;
};
