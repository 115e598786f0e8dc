import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// A registry that mirrors only some platforms omits the binaries of the others from package-lock.json, and then `npm
// ci` refuses the file everywhere. This adds the missing entries: name, exact version and platform, which is all npm
// needs to skip them on this machine.

interface LockedPackage {
  version?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const systems = [
  'darwin',
  'linux',
  'win32',
  'android',
  'freebsd',
  'netbsd',
  'openbsd',
  'sunos',
  'aix',
  'openharmony',
];
const processors = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'riscv64',
  'ppc64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
];

function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  const os = systems.find(
    (system) => words.includes(system) || (system === 'win32' && words.includes('windows')),
  );
  const cpu = processors.find((processor) => words.includes(processor));
  if (os === undefined && cpu !== 'wasm32') throw new Error(`cannot determine the platform of ${name}`);
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : undefined;
  return {
    ...(os === undefined ? {} : { os: [os] }),
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(libc === undefined ? {} : { libc }),
  };
}

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockedPackage> };
let added = 0;
for (const [place, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  if (place === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const hoisted = `node_modules/${name}`;
    if (lock.packages[hoisted] !== undefined || lock.packages[`${place}/${hoisted}`] !== undefined) continue;
    lock.packages[hoisted] = {
      version,
      ...platformOf(name),
      ...(dev === true ? { dev } : {}),
      optional: true,
    };
    added += 1;
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`added ${added} packages of other platforms`);
