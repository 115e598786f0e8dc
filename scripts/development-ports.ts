import { createConnection, createServer } from 'node:net';

/** Both loopback addresses: `localhost` may mean either, and another program may use the other one. */
const loopback = ['127.0.0.1', '::1'];
const triesMax = 20;

export interface PortRequest {
  /** The setting a person can change, such as `PORT`. */
  readonly setting: string;
  readonly preferred: number;
}

/** The requested port, or another one where none was requested and the default is taken. */
export async function choosePort(
  { setting, preferred }: PortRequest,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const asked = environment[setting];
  if (asked !== undefined && asked !== '0') {
    const port = Number(asked);
    if (await isPortTaken(port)) {
      throw new Error(`another process listens on port ${port}: stop it, or choose another with ${setting}=`);
    }
    return port;
  }
  for (let port = preferred; port < preferred + triesMax; port += 1) {
    if (!(await isPortTaken(port))) return port;
    console.log(`  Port ${port} is taken by another process; trying the next (${setting}= chooses one).`);
  }
  throw new Error(`no free port from ${preferred} on: choose one with ${setting}=`);
}

export async function isPortTaken(port: number): Promise<boolean> {
  const answers = await Promise.all(loopback.map((host) => answersAt(host, port)));
  return answers.includes(true) || !(await canListen(port));
}

function answersAt(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createConnection({ host, port, timeout: 1_000 });
  const end = (answered: boolean): void => {
    socket.destroy();
    resolve(answered);
  };
  socket.once('connect', () => end(true));
  socket.once('error', () => end(false)).once('timeout', () => end(false));
  return promise;
}

function canListen(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  return promise;
}
