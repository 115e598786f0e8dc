export { accessToken, isSignedIn } from './access-token.ts';
export type { AccountCommand } from './account-command.ts';
export { accountCommands, commandUsage, runAccountCommand } from './account-command.ts';
export { openBrowser } from './browser-opener.ts';
export { serverAddress } from './server-address.ts';
export type { LoginHost } from './login-host.ts';
export { LoginUsageError } from './login-host.ts';
