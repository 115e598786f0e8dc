import { whyNoSandbox } from '../src/storage/derived/sandbox.ts';

/** Why tests of sandboxed programs are skipped on this machine. */
export const noSandbox = await whyNoSandbox();
if (noSandbox !== null) process.emitWarning(`tests of sandboxed programs are skipped: ${noSandbox}`);
