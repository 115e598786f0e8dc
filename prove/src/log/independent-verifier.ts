import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bytes are base64, as Go reads them from JSON. */
export interface LogEvidence {
  readonly key: string;
  readonly checkpoints: readonly string[];
  readonly inclusions: readonly {
    readonly size: number;
    readonly index: number;
    readonly root: string;
    readonly leaf: string;
    readonly proof: readonly string[];
  }[];
  readonly consistencies: readonly {
    readonly first: number;
    readonly firstRoot: string;
    readonly second: number;
    readonly secondRoot: string;
    readonly proof: readonly string[];
  }[];
}

const program = 'prove/src/log/independent-verifier.go';
/** Where Debian's `golang-golang-x-mod-dev` is. */
const goPath = '/usr/share/gocode';

/** The number of wrong proofs; null where Go or its package is not installed. */
export function verifyIndependently(root: string, evidence: LogEvidence): number | null {
  if (!existsSync(`${goPath}/src/golang.org/x/mod/sumdb/tlog`)) return null;
  const ran = spawnSync('go', ['run', fileURLToPath(new URL(program, `file://${root}/`))], {
    input: JSON.stringify(evidence),
    encoding: 'utf8',
    env: {
      ...process.env,
      GOPATH: goPath,
      GO111MODULE: 'off',
      GOFLAGS: '',
      GOCACHE: join(tmpdir(), 'daybook-go-cache'),
    },
  });
  if (ran.error !== undefined) return null;
  if (ran.status !== 0) throw new Error(`the independent verifier failed: ${ran.stderr}`);
  return Number(ran.stdout.trim());
}
