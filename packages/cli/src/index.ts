export type { CliHost } from './cli-host.ts';
export { CliError } from './cli-host.ts';
export type { CliCommand } from './program.ts';
export { cliCommands } from './program.ts';
export { systemHost } from './system-host.ts';
