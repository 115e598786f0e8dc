import { basename, join, normalize } from 'node:path/posix';

/** The parts of the repository that an image is built from. */
export interface Repository {
  /** Paths relative to the root. */
  readonly isFile: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
  /** Folders of all workspaces. */
  readonly workspaces: readonly string[];
  /** Folders of the workspaces that the server's own package depends on. */
  readonly serverWorkspaces: readonly string[];
}

interface Instruction {
  readonly keyword: string;
  readonly rest: string;
}

export interface Copy {
  readonly sources: readonly string[];
  readonly target: string;
}

export interface ImageStage {
  readonly base: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
  /** From the repository. */
  readonly copies: readonly Copy[];
}

export function readStages(dockerfile: string): readonly ImageStage[] {
  const stages: { base: string; name: string | null; instructions: Instruction[]; copies: Copy[] }[] = [];
  for (const line of dockerfile.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [keyword = '', ...words] = line.split(' ');
    if (keyword === 'FROM')
      stages.push({ base: words[0] ?? '', name: words[2] ?? null, instructions: [], copies: [] });
    const stage = stages.at(-1);
    stage?.instructions.push({ keyword, rest: words.join(' ') });
    if (keyword === 'COPY' && words[0]?.startsWith('--') === false)
      stage?.copies.push({ sources: words.slice(0, -1), target: words.at(-1) ?? '' });
  }
  return stages;
}

export const valueOf = (stage: ImageStage | undefined, keyword: string): string =>
  stage?.instructions.find((one) => one.keyword === keyword)?.rest ?? '';

export function environmentOf(stage: ImageStage | undefined): ReadonlyMap<string, string> {
  const pairs = valueOf(stage, 'ENV').split(' ');
  return new Map(pairs.map((pair) => pair.split('=') as [string, string]));
}

const serverFolder = 'apps/server';
const serverPackage = '@daybook/server';

/** The mismatches between the Dockerfile and the repository, or between its lines. */
export function checkDockerfile(dockerfile: string, repository: Repository): readonly string[] {
  const stages = readStages(dockerfile);
  const [dependencies, bundle, image] = stages;
  return [
    ...(stages.length === 3 && dependencies?.base === image?.base ? [] : ['three stages on one base']),
    ...(valueOf(dependencies, 'WORKDIR') === valueOf(image, 'WORKDIR') ? [] : ['two folders to work in']),
    ...stages.flatMap(({ copies }) => copies.flatMap((copy) => checkCopy(copy, repository))),
    ...checkDependencies(dependencies, repository),
    ...checkBundle(bundle, dependencies, repository),
    ...checkImage(image, dependencies, repository),
    ...checkBundled(image, bundle, dependencies),
  ];
}

/** Paths in the image equal paths in the repository. */
function checkCopy({ sources, target }: Copy, { isFile, isFolder }: Repository): readonly string[] {
  return sources.flatMap((source) => {
    if (isFolder(source)) return target === source ? [] : [`COPY ${source}: its place is ${source}`];
    if (!isFile(source)) return [`COPY ${source}: there is no such file or folder`];
    return normalize(join(target, basename(source))) === source ? [] : [`COPY ${source}: not to ${target}`];
  });
}

function checkDependencies(stage: ImageStage | undefined, { workspaces }: Repository): readonly string[] {
  const copied = new Set(stage?.copies.flatMap(({ sources }) => sources));
  const needed = [
    'package.json',
    'package-lock.json',
    ...workspaces.map((folder) => `${folder}/package.json`),
  ];
  const install = `npm ci --omit=dev --workspace=${serverPackage} --ignore-scripts`;
  return [
    ...needed
      .filter((file) => !copied.has(file))
      .map((file) => `the dependencies are installed without ${file}`),
    ...(valueOf(stage, 'RUN') === install ? [] : [`the dependencies are not installed by ${install}`]),
  ];
}

const runtimeFiles = ({ serverWorkspaces }: Repository): readonly string[] => [
  `${serverFolder}/migrations`,
  'docs/guides',
  ...[serverFolder, ...serverWorkspaces].map((folder) => `${folder}/src`),
];
/** As `bundle-image.ts` writes it. */
const bundled = 'bundle/apps.server.src.bin.daybook.mjs';
/** User and group of the account `node` in Node's images. */
const bundling = 'node packages/bundle/src/bin/bundle-image.ts 1000 1000';

function checkBundle(
  stage: ImageStage | undefined,
  dependencies: ImageStage | undefined,
  repository: Repository,
): readonly string[] {
  const sources = new Set(stage?.copies.flatMap((copy) => copy.sources));
  const needed = [...runtimeFiles(repository), 'packages/bundle/src'];
  const runs = stage?.instructions.filter(({ keyword }) => keyword === 'RUN').map(({ rest }) => rest) ?? [];
  const install = `npm ci --omit=dev --workspace=${serverPackage} --workspace=@daybook/bundle --ignore-scripts`;
  return [
    ...(stage?.base === dependencies?.name ? [] : ['the bundle is not made from the dependencies']),
    ...needed.filter((path) => !sources.has(path)).map((path) => `the bundle is made without ${path}`),
    ...(runs[0] === install && runs[1] === bundling && runs.length === 2
      ? []
      : ['the bundle is made otherwise']),
  ];
}

function checkBundled(
  image: ImageStage | undefined,
  bundle: ImageStage | undefined,
  dependencies: ImageStage | undefined,
): readonly string[] {
  const lines = image?.instructions.map(({ keyword, rest }) => `${keyword} ${rest}`) ?? [];
  const folder = valueOf(dependencies, 'WORKDIR');
  return ['bundle', `${serverFolder}/node_modules/.cache`]
    .map((path) => `COPY --from=${bundle?.name} ${folder}/${path} ${path}`)
    .filter((line) => !lines.includes(line))
    .map((line) => `the image does not say ${line}`);
}

function checkImage(
  stage: ImageStage | undefined,
  dependencies: ImageStage | undefined,
  repository: Repository,
): readonly string[] {
  const sources = new Set(stage?.copies.flatMap((copy) => copy.sources));
  const needed = [
    'package.json',
    ...runtimeFiles(repository),
    ...[serverFolder, ...repository.serverWorkspaces].map((folder) => `${folder}/package.json`),
  ];
  const modules = `COPY --from=${dependencies?.name} ${valueOf(dependencies, 'WORKDIR')}/node_modules node_modules`;
  const lines = stage?.instructions.map(({ keyword, rest }) => `${keyword} ${rest}`) ?? [];
  const [program = '', script = ''] = JSON.parse(valueOf(stage, 'ENTRYPOINT')) as string[];
  const environment = environmentOf(stage);
  return [
    ...needed.filter((path) => !sources.has(path)).map((path) => `the image is without ${path}`),
    ...(lines.includes(modules) ? [] : [`the image does not say ${modules}`]),
    ...(program === 'node' && script === bundled ? [] : [`the image starts ${program} ${script}`]),
    ...(environment.get('NODE_ENV') === 'production' && environment.size === 3 ? [] : ['ENV of the image']),
    ...(environment.get('HOST') === '0.0.0.0' ? [] : ['others cannot reach what listens on HOST']),
    ...(valueOf(stage, 'EXPOSE') === environment.get('PORT') ? [] : ['EXPOSE is not PORT']),
    ...(valueOf(stage, 'USER') === 'node' ? [] : ['the image runs as root']),
    ...(isProbeOf(valueOf(stage, 'HEALTHCHECK'), environment.get('PORT'))
      ? []
      : ['HEALTHCHECK of the image']),
  ];
}

/** Whether a health check requests one of the two probes from its own machine and port. */
export function isProbeOf(command: string, port: string | number | undefined): boolean {
  const [, host, asked, path] = /http:\/\/([\w.]+):(\d+)(\/\w+)/.exec(command) ?? [];
  return host === '127.0.0.1' && asked === String(port) && ['/livez', '/readyz'].includes(path ?? '');
}
