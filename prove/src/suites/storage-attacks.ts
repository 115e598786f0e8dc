import type { Suite, SuiteContext } from '@daybook/evidence';
import type { BucketServer } from '@daybook/local-bucket';
import { startBucketServer } from '@daybook/local-bucket';
import type { ClamdServer } from '@daybook/local-clamd';
import { startClamd, whyNoClamd } from '@daybook/local-clamd';

import type { Scan } from '../../../apps/server/src/storage/inspection/clamd-scanner.ts';
import { createCompleteScanner } from '../../../apps/server/src/storage/inspection/complete-scans.ts';
import { discardLeftovers } from '../../../apps/server/src/storage/uploads/finish-uploads.ts';
import { verifyStorage } from '../../../apps/server/src/storage/wiring.ts';
import { noBrowser } from '../../../apps/server/test/browser.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { cookieOf, signInOnForm } from '../attacks/page-attacks.ts';
import type { HostileSite } from '../storage/hostile-browser.ts';
import { openAll, runUnstopped, startHostileSite } from '../storage/hostile-browser.ts';
import type { HostileFile } from '../storage/hostile-files.ts';
import { hostileFiles } from '../storage/hostile-files.ts';
import { hostileNames } from '../storage/hostile-names.ts';
import { tryPreviews } from '../storage/hostile-previews.ts';
import type { Tried } from '../storage/hostile-requests.ts';
import { startTrickle, tryRanges, trySizes } from '../storage/hostile-requests.ts';
import { checkArchive, storeFile, tryNames } from '../storage/hostile-storing.ts';
import { inspectAll, storeInfected, tryInfected } from '../storage/infected-files.ts';

export const suite: Suite = {
  name: 'storage-attacks',
  nightly: true,
  summary:
    'Hostile names, false media types and sizes, malware and active content have no effect through the storage API or in Chromium.',
  promise:
    'Names that leave their folder, end a header or show nothing, media types and sizes that lie, HTML, SVG, script and polyglots opened in Chromium by every address that gives content (page, version, preview, signed address of the bucket, archive), as frames, and those of the site also as script and style; requests for a thousand ranges; uploads that trickle: refused or harmless. Nothing is shown under a type that its bytes are not. What ClamAV knows, stored by every method, is given to nobody but its uploader before the scanner has looked, also while the scanner is away, and to nobody at all afterwards.',
  measuresNoTime: true,
  run: async (context) => {
    const missing = noBrowser ?? whyNoClamd();
    if (missing !== null) {
      context.didNotRun(missing);
      return;
    }
    const clamd = await startClamd();
    const server = startBucketServer();
    try {
      await withStage(context, server, clamd);
    } finally {
      await Promise.all([server.then(({ remove }) => remove()), clamd.remove()]);
    }
  },
};

async function withStage(
  context: SuiteContext,
  server: Promise<BucketServer>,
  clamd: ClamdServer,
): Promise<void> {
  const stage = await openStorageStage(1, server, { DAYBOOK_CLAMD: clamd.path });
  const site = await startHostileSite();
  try {
    await attack(context, stage, site, clamd);
  } finally {
    await site.stop();
    await stage.stop();
  }
}

const trickling = 40;
const rangedBytes = 300_000;

async function attack(
  context: SuiteContext,
  stage: StorageStage,
  site: HostileSite,
  clamd: ClamdServer,
): Promise<void> {
  const [names, files, slow] = [
    await stage.newProject('names'),
    await stage.newProject('files'),
    await stage.newProject('slow'),
  ];
  const trickles = Array.from({ length: trickling }, (_, turn) =>
    startTrickle(stage, slow, `trickle ${turn}`),
  );
  // Each file of the quick run is a multipart upload of its own, too many for all names.
  const stored = await tryNames(stage, names, hostileNames(), context.quick ? 4 : 1);
  report(context, 'names', stored, context.quick ? 450 : 600);
  report(context, 'archived names', await checkArchive(stage, names), 100);
  const ranged = await storeFile(stage, files, {
    name: 'ranged',
    mediaType: 'text/plain',
    bytes: Buffer.alloc(rangedBytes),
  });
  report(context, 'lists of ranges', await tryRanges(stage, ranged, rangedBytes), 11);
  report(context, 'sizes', await trySizes(stage, files), 15);
  const scan = createCompleteScanner(clamd);
  await tryMalware(context, stage, clamd, scan);
  await openContent(context, stage, site, { names, files, scan });
  await endTrickles(context, stage, trickles);
}

function report(
  { figure, note }: SuiteContext,
  what: string,
  { tried, through }: Tried,
  atLeast: number,
): void {
  figure({ name: `${what} tried`, value: tried, unit: 'tries', goal: { atLeast } });
  figure({ name: `${what} that got through`, value: through.length, unit: 'tries', goal: { exactly: 0 } });
  for (const one of through.slice(0, 10)) note(one);
}

async function tryMalware(
  context: SuiteContext,
  stage: StorageStage,
  clamd: ClamdServer,
  scan: Scan,
): Promise<void> {
  const infected = await storeInfected(stage, await organizationOf(stage));
  const { files, uploader, member } = infected;
  report(context, 'readings of what nobody has scanned', await tryInfected(stage, infected, [member]), 60);
  await clamd.kill();
  const refused = await inspectAll(stage, scan).then(
    () => 0,
    () => 1,
  );
  context.figure({
    name: 'inspections without a scanner that failed',
    value: refused,
    unit: '',
    goal: { exactly: 1 },
  });
  report(context, 'readings while the scanner is away', await tryInfected(stage, infected, [member]), 60);
  await clamd.start();
  await stage.superuser.pool.query(
    'UPDATE storage.blob SET inspection_due_at = now() WHERE inspection_due_at > now()',
  );
  await inspectAll(stage, scan);
  const { rows } = await stage.superuser.pool.query<{ count: number }>(
    "SELECT count(*)::int FROM storage.blob WHERE scan_state = 'infected'",
  );
  // The copy has the bytes of another.
  const found = { name: 'contents found by the scanner', value: rows[0]?.count ?? 0, unit: '' };
  context.figure({ ...found, goal: { exactly: files.length - 1 } });
  report(context, 'readings of malware', await tryInfected(stage, infected, [uploader, member]), 120);
}

async function openContent(
  context: SuiteContext,
  stage: StorageStage,
  site: HostileSite,
  { scan, ...projects }: { readonly names: string; readonly files: string; readonly scan: Scan },
): Promise<void> {
  const hostile = hostileFiles(site.beacon);
  const ids = await Promise.all(hostile.map((file) => storeFile(stage, projects.files, file)));
  await inspectAll(stage, scan);
  const bucketAddresses = await Promise.all(ids.map((id) => bucketAddressOf(stage, id)));
  const { port = 0 } = stage.processes[0] ?? {};
  const signedIn = cookieOf(await signInOnForm(port, stage.account));
  const [name, value] = [signedIn.slice(0, signedIn.indexOf('=')), signedIn.slice(signedIn.indexOf('=') + 1)];
  const { key } = await organizationOf(stage);
  const home = `http://127.0.0.1:${port}/platform/${key}`;
  const previews = ids.map((id) => `/platform/${key}/files/${id}/preview`);
  const asked = previews.map((path, index) => ({ path, file: hostile[index] as HostileFile }));
  const previewed = await tryPreviews(port, signedIn, asked);
  report(context, 'previews', previewed, 30);
  const contents = ids.map((id) => `${home}/files/${id}/content`);
  const visited = [...contents, `${contents[0]}?version=1`, `${home}/projects/${projects.files}/archive`];
  // A preview that is not shown is a response without content, and counted separately above.
  const shown = previewed.shown.map((path) => `http://127.0.0.1:${port}${path}`);
  const pages = [
    `${home}/projects/${projects.names}?sort=name`,
    `${home}/projects/${projects.names}/search?name=script`,
    `${home}/projects/${projects.names}/search?name=img`,
    ...ids.slice(0, 3).map((id) => `${home}/files/${id}`),
  ];
  const opened = await openAll(
    site,
    { name, value },
    {
      visited: [
        ...visited,
        ...bucketAddresses.filter((_, index) => !context.quick || index % 6 === 0),
        ...shown,
      ],
      embedded: [...contents, ...shown],
      framed: bucketAddresses,
      pages,
    },
  );
  const ran = site.reports().length;
  for (const one of site.reports().slice(0, 10)) context.note(`ran: ${one}`);
  const figure = (what: string, number: number, goal: { atLeast: number } | { exactly: number }): void =>
    context.figure({ name: what, value: number, unit: '', goal });
  figure('hostile files opened by two addresses and more', hostile.length, { atLeast: 30 });
  figure('hostile files shown as what they are', previewed.shown.length, { atLeast: 3 });
  figure('addresses saved instead of shown', opened.downloads, { atLeast: visited.length });
  figure('pages of the site that showed their names', opened.shown, { exactly: pages.length });
  figure('reports of something that was shown or ran', ran, { exactly: 0 });
  const unstopped = await runUnstopped(site, context.quick ? hostile.slice(0, 14) : hostile);
  figure('the same files from a server that stops nothing: reports', unstopped, { atLeast: 5 });
}

async function bucketAddressOf(stage: StorageStage, id: string): Promise<string> {
  const answer = await stage.ask('POST', `/api/v1/files/${id}/content-address`, {});
  return answer.json<{ url: string }>().url;
}

async function organizationOf({ superuser, account }: StorageStage): Promise<{ id: string; key: string }> {
  const { rows } = await superuser.pool.query<{ id: string; key: string }>(
    'SELECT DISTINCT organization.id, key FROM storage.project JOIN identity.organization ON organization.id = organization_id WHERE project.created_by = $1',
    [account.id],
  );
  const [organization] = rows;
  if (organization === undefined) throw new Error('the account has no organization with a project');
  return organization;
}

/** In a quick run they disconnect; else the suite waits until each has been refused as too slow. */
async function endTrickles(
  context: SuiteContext,
  stage: StorageStage,
  trickles: readonly ReturnType<typeof startTrickle>[],
): Promise<void> {
  const { superuser, upkeep } = stage;
  const reserved = async (): Promise<number> => {
    const { rows } = await superuser.pool.query<{ bytes: string }>(
      'SELECT coalesce(sum(reserved_bytes), 0)::text AS bytes FROM storage.usage',
    );
    return Number(rows[0]?.bytes);
  };
  const exactly = (name: string, value: number, unit: string, goal: number): void =>
    context.figure({ name, value, unit, goal: { exactly: goal } });
  if (!context.quick) {
    await until(async () => trickles.every((one) => one.status() !== null), 150_000);
    const told = trickles.filter((one) => one.status() === 408).length;
    exactly('trickling uploads told 408', told, 'uploads', trickling);
  }
  exactly('trickling uploads stored', trickles.filter((one) => one.status() === 201).length, 'uploads', 0);
  for (const one of trickles) one.leave();
  await until(async () => (await reserved()) === 0, 10_000);
  exactly('room still reserved when they have left', await reserved(), 'bytes', 0);
  await discardLeftovers(upkeep);
  const findings = await verifyStorage(upkeep);
  exactly(
    'rows and objects that disagree',
    findings.flatMap(({ offenders }) => offenders).length,
    'things',
    0,
  );
}

async function until(holds: () => Promise<boolean>, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (performance.now() < end && !(await holds()))
    await new Promise((resolve) => setTimeout(resolve, 100));
}
