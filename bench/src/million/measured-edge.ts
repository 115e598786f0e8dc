import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePorts } from '../../../prove/src/http/api-child.ts';
import { startNginx } from '../../../prove/src/http/nginx.ts';

/** One request that nginx sent to an api process. */
export interface OriginRequest {
  readonly atMs: number;
  /** Address and encoding. */
  readonly variant: string;
  readonly status: number;
}

export interface MeasuredEdge {
  readonly port: number;
  /** Of the same nginx, for its own files. */
  readonly filesPort: number;
  /** Of all its workers so far. */
  readonly cpuSeconds: () => number;
  /** All since it started; the last second may be missing. */
  readonly originRequests: () => readonly OriginRequest[];
  readonly stop: () => Promise<void>;
}

/**
 * nginx as shipped, which also records requests to the api, and serves files beside it: the same workers, and nothing but
 * the folder is configured for these.
 */
export async function startMeasuredEdge(
  root: string,
  apiPorts: readonly number[],
  files: Readonly<Record<string, Buffer>>,
): Promise<MeasuredEdge> {
  const [port = 0, filesPort = 0] = await freePorts(2);
  const nginx = await startNginx(root, port, apiPorts, (folder) => ({
    'http.d/origin.conf': `log_format origin '$msec $upstream_status $daybook_encoding $request_uri';
map $upstream_status $daybook_asked_origin {
  default 1;
  "" 0;
}
server {
  listen 127.0.0.1:${filesPort};
  root ${folder}/files;
}
`,
    'server.d/origin.conf': `access_log ${folder}/origin.log origin if=$daybook_asked_origin buffer=64k flush=1s;\n`,
    ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`files/${name}`, bytes])),
  }));
  return {
    port,
    filesPort,
    cpuSeconds: () => childrenCpuSeconds(nginx.pid),
    originRequests: () => readOriginLog(join(nginx.folder, 'origin.log')),
    stop: nginx.stop,
  };
}

function readOriginLog(file: string): readonly OriginRequest[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [seconds, status, encoding = '', path = ''] = line.split(' ');
    return { atMs: Number(seconds) * 1_000, status: Number(status), variant: `${path} ${encoding}` };
  });
}

/** In nanoseconds of the scheduler: a thousand polls take less time than ten ticks. The workers have one thread each. */
function childrenCpuSeconds(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
  const used = children.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]));
  return used.reduce((sum, nanoseconds) => sum + nanoseconds / 1e9, 0);
}
