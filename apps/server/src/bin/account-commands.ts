import { homedir } from 'node:os';

import { accountCommands as commands, commandUsage, openBrowser, runAccountCommand } from '@daybook/login';
import type { LoginHost } from '@daybook/login';

import type { Command } from './command.ts';

const host: LoginHost = {
  env: process.env,
  home: homedir(),
  nowMs: Date.now,
  print: console.log,
  openBrowser,
};

/** What a person does with a server from a terminal: login, logout, token, whoami. No setting of the server is read. */
export const accountCommands: readonly Command[] = commands.map((command) => ({
  name: command.name,
  usage: commandUsage(command),
  summary: command.summary,
  run: (rest) => runAccountCommand(command, rest, host),
}));
