import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import type { Problem } from '@arethetypeswrong/core';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The errors of publint and arethetypeswrong for a package, as npm and every TypeScript resolver reads it. */
export async function tarballFaults(path: string): Promise<readonly string[]> {
  const bytes = readFileSync(path);
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, level: 'warning', strict: true });
  const formatted = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  const problems =
    types.types === false
      ? ['no types']
      : types.problems.filter((one) => !isOfCommonJs(one)).map((one) => JSON.stringify(one));
  return [...formatted, ...problems].map((fault) => `${basename(path)}: ${fault}`);
}

/** They are ES modules alone, on purpose, and their exports need a resolver that knows of exports. */
function isOfCommonJs(problem: Problem): boolean {
  return (
    problem.kind === 'CJSResolvesToESM' ||
    ('resolutionKind' in problem && problem.resolutionKind === 'node10')
  );
}
