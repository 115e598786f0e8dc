import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ImageStage } from '../../apps/server/test/deployment/dockerfile-check.ts';
import { environmentOf, valueOf } from '../../apps/server/test/deployment/dockerfile-check.ts';
import { compress, sha256, writeTar } from './reproducible-tar.ts';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Layer extends Descriptor {
  /** Digest of the uncompressed layer. */
  readonly diffId: string;
}

export interface ImageInput {
  /** The tree of the server. */
  readonly tree: string;
  /** A tar of a root file system. */
  readonly base: string;
  readonly stage: ImageStage;
  readonly version: string;
  readonly epochSeconds: number;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Writes an OCI image of two layers, the base and the server, as an archive. */
export async function writeImage(folder: string, file: string, input: ImageInput): Promise<void> {
  const layout = join(folder, 'layout');
  const blobs = join(layout, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  const base = join(folder, 'base-layer.tar');
  await copyFile(input.base, base);
  const layers = [await addLayer(blobs, base), await addLayer(blobs, await writeServerLayer(folder, input))];
  const config = await addJson(blobs, 'application/vnd.oci.image.config.v1+json', imageConfig(input, layers));
  const manifest = await addJson(blobs, 'application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
  });
  const annotations = { 'org.opencontainers.image.ref.name': input.version };
  await writeFile(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  );
  await writeFile(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  await writeTar(layout, file, { epochSeconds: input.epochSeconds });
}

async function writeServerLayer(folder: string, { tree, stage, epochSeconds }: ImageInput): Promise<string> {
  const root = join(folder, 'server-layer');
  const place = valueOf(stage, 'WORKDIR') || '/daybook';
  await cp(tree, join(root, place), { recursive: true, verbatimSymlinks: true });
  const node = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  await stat(join(tree, node));
  await mkdir(join(root, 'usr/local/bin'), { recursive: true });
  await symlink(join(place, node), join(root, 'usr/local/bin/node'));
  const file = join(folder, 'server-layer.tar');
  await writeTar(root, file, { epochSeconds });
  return file;
}

async function addLayer(blobs: string, tar: string): Promise<Layer> {
  const diffId = `sha256:${await sha256(tar)}`;
  const compressed = await compress(tar);
  const digest = await sha256(compressed);
  const { size } = await stat(compressed);
  await rename(compressed, join(blobs, digest));
  return {
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    digest: `sha256:${digest}`,
    size,
    diffId,
  };
}

async function addJson(blobs: string, mediaType: string, value: object): Promise<Descriptor> {
  const text = JSON.stringify(value);
  const digest = createHash('sha256').update(text).digest('hex');
  await writeFile(join(blobs, digest), text);
  return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}

/** As the Dockerfile says; the account by its number, which Kubernetes needs to see that it is not root. */
function imageConfig({ stage, version, epochSeconds }: ImageInput, layers: readonly Layer[]): object {
  const created = new Date(epochSeconds * 1_000).toISOString();
  const environment = [...environmentOf(stage)].map(([name, value]) => `${name}=${value}`);
  return {
    created,
    architecture: architectures[process.arch] ?? process.arch,
    os: 'linux',
    config: {
      User: '1000:1000',
      ExposedPorts: { [`${valueOf(stage, 'EXPOSE')}/tcp`]: {} },
      Env: [`PATH=${path}`, ...environment],
      Entrypoint: JSON.parse(valueOf(stage, 'ENTRYPOINT')) as unknown,
      Cmd: JSON.parse(valueOf(stage, 'CMD')) as unknown,
      WorkingDir: valueOf(stage, 'WORKDIR'),
      Labels: { 'org.opencontainers.image.title': 'daybook', 'org.opencontainers.image.version': version },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: ['Debian', 'Daybook'].map((name) => ({ created, created_by: name })),
  };
}
