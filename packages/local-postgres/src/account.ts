import { readFileSync } from 'node:fs';

/** The account that the server runs as. */
export interface Account {
  readonly name: string;
  readonly spawn: { readonly uid?: number; readonly gid?: number };
}

/** PostgreSQL refuses to run as root, so root hands it to an account that owns nothing. */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return { name: 'this user', spawn: {} };
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [name, , uid, gid] = line?.split(':') ?? [];
  if (name === undefined)
    throw new Error(
      'PostgreSQL refuses to run as root, and the machine has no account "nobody" to run it as',
    );
  return { name, spawn: { uid: Number(uid), gid: Number(gid) } };
}
