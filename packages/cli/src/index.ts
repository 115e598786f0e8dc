export type { CliHost } from './cli-host.ts';
export { CliError, reportFailure } from './cli-host.ts';
export type { CliCommand } from './program.ts';
export { cliCommands, unknownCommand } from './program.ts';
export { systemHost } from './system-host.ts';
