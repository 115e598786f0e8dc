import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { logKeyFile } from '../../../apps/server/src/record/wiring.ts';
import { runSamples } from '../../../apps/server/test/run-samples.ts';
import { sequenceLog } from '../../../apps/server/test/sequence-log.ts';
import { requestOnce } from '../news/http-question.ts';
import { baseUrl, setNewsStage } from '../news/news-stage.ts';
import { fillRecord } from '../news/news-world.ts';
import { installTarballs } from '../packages/installed-folders.ts';
import type { BuiltRelease } from '../releases/built-release.ts';
import { buildReleaseTwice } from '../releases/built-release.ts';
import { compareWithDpkg, compareWithNpm } from '../releases/listed-packages.ts';
import { startImage, startServer, unpackImage, unpackServer } from '../releases/released-server.ts';
import { findAcceptedChanges, verifyAsTheGuideSays, verifyByOpenSsl } from '../releases/verify-release.ts';

const programs = ['git', 'jq', 'ssh-keygen', 'openssl', 'mmdebstrap', 'umoci', 'setpriv', 'dpkg-query'];

export const suite: Suite = {
  name: 'release',
  nightly: true,
  summary:
    'Two builds of a release have the same digests; other programs verify its signature, SBOM and provenance; its server, image and packages run.',
  headline: 'files that a second build changed',
  promise:
    'A release of this commit is built in a clean clone with `npm run release -- --dry`, and again at another path. The commands of `docs/guides/releases.md` verify it (ssh-keygen, sha256sum, jq), and OpenSSL verifies the signature; every changed file, a signature by another key and one for another purpose are refused. npm and dpkg list in the unpacked server and image what the SBOMs list. The server starts as an unprivileged account from a read-only folder, and the image, unpacked by umoci, as its account with a read-only root, until `/readyz` answers 200. The packages are installed into an empty folder, and the samples of their READMEs run against that server.',
  run: async (context) => {
    const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
    if (missing.length > 0) return context.didNotRun(`not installed: ${missing.join(', ')}`);
    if (process.getuid?.() !== 0) return context.didNotRun('only root can start processes as other accounts');
    const release = await buildReleaseTwice(context.root);
    const folder = await mkdtemp(join(tmpdir(), 'prove-released-'));
    // Other accounts start programs in it.
    await chmod(folder, 0o755);
    try {
      await reportFiles(context, release);
      await reportPrograms(context, release, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
      await release.remove();
    }
  },
};

function none(context: SuiteContext, name: string, found: readonly string[], unit: string): void {
  for (const one of found) context.note(`${name}: ${one}`);
  context.figure({ name, value: found.length, unit, goal: { exactly: 0 } });
}

async function reportFiles(context: SuiteContext, release: BuiltRelease): Promise<void> {
  for (const line of release.warnings) context.note(line);
  none(context, 'files that a second build changed', release.changed, 'files');
  const names = await readdir(release.folder);
  context.figure({ name: 'files of the release', value: names.length, unit: 'files' });
  const refused = await verifyAsTheGuideSays(context.root, release, release.folder);
  none(context, 'commands of the guide that fail', refused === null ? [] : [refused], 'commands');
  const byOpenSsl = await verifyByOpenSsl(release);
  none(context, 'signatures that OpenSSL refuses', byOpenSsl ? [] : ['SHA256SUMS.sig'], 'signatures');
  const accepted = await findAcceptedChanges(context.root, release);
  none(context, 'changes that the commands accept', accepted, 'changes');
}

async function reportPrograms(context: SuiteContext, release: BuiltRelease, folder: string): Promise<void> {
  const { version } = release;
  const platform = `${process.platform}-${process.arch}`;
  const file = (name: string): string => join(release.folder, `daybook-${version}-${name}`);
  const server = await unpackServer(file(`server-${platform}.tar.gz`), join(folder, 'server'));
  const bundle = await unpackImage(file(`image-${platform}.oci.tar`), version, join(folder, 'image'));
  const rootfs = join(bundle, 'rootfs');
  const differences = [
    ...(await compareWithNpm(file('server.cdx.json'), server)),
    ...(await compareWithNpm(file('image.cdx.json'), join(rootfs, 'daybook'))),
    ...(await compareWithDpkg(file('image.cdx.json'), rootfs)),
  ];
  none(context, 'packages that an SBOM and npm or dpkg list differently', differences, 'packages');
  const stage = await setNewsStage(context.root);
  try {
    await fillRecord(stage.factory, 60);
    const keys = await logKeyFile.generateLogKey('daybook.example/log');
    await sequenceLog(stage.database, await logKeyFile.parseLogKeys(keys));
    const settings = {
      DATABASE_URL: stage.urls.application,
      DATABASE_READER_URL: stage.urls.newsReader,
      DAYBOOK_BASE_URL: baseUrl,
      DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
      DAYBOOK_DRAIN_NOTICE_MS: '0',
    };
    const image = await startImage(bundle, settings);
    await reportReady(context, 'image', image.port);
    await image.stop();
    const api = await startServer(server, settings);
    await reportReady(context, 'server', api.port);
    await reportSamples(context, release, folder, api.port);
    await api.stop();
  } finally {
    await stage.remove();
  }
}

async function reportReady({ figure }: SuiteContext, name: string, port: number): Promise<void> {
  const { status } = await requestOnce(port, '/readyz');
  figure({
    name: `status of /readyz of the ${name}, unprivileged and read-only`,
    value: status,
    unit: '',
    goal: { exactly: 200 },
  });
}

const samples = { client: 'ts', mcp: 'ts', cli: 'sh' } as const;

async function reportSamples(
  context: SuiteContext,
  release: BuiltRelease,
  folder: string,
  port: number,
): Promise<void> {
  const names = (await readdir(release.folder)).filter((name) => name.endsWith('.tgz'));
  const tarballs = names.map((name) => join(release.folder, name));
  const { everything } = await installTarballs(folder, tarballs);
  const home = join(folder, 'home');
  await mkdir(home);
  const url = `http://127.0.0.1:${port}`;
  const programsFirst = [join(everything, 'node_modules/.bin'), dirname(process.execPath)];
  const environment = {
    HOME: home,
    DAYBOOK_URL: url,
    PATH: [...programsFirst, process.env['PATH'] ?? ''].join(delimiter),
  };
  let ran = 0;
  const failed: string[] = [];
  for (const [name, language] of Object.entries(samples)) {
    const readme = join(everything, 'node_modules/@daybook', name, 'README.md');
    await runSamples(readme, language, { url, folder: everything, environment }).then(
      (printed) => (ran += printed.length),
      (error: Error) => failed.push(`${name}: ${error.message}`),
    );
  }
  context.figure({ name: 'samples of the READMEs', value: ran, unit: 'samples', goal: { atLeast: 5 } });
  none(context, 'READMEs whose samples fail', failed, 'READMEs');
}
