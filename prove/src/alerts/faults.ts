import type { AlertedInstallation } from './installation.ts';

/** Something that goes wrong, caused for real, and the alerts that it must fire. */
export interface Fault {
  readonly name: string;
  readonly alerts: readonly string[];
  /** Returns what ends it. */
  readonly cause: (installation: AlertedInstallation) => Promise<() => Promise<void>>;
}

const requestEveryMs = 200;

export const faults: readonly Fault[] = [
  {
    name: 'an api process is killed',
    alerts: ['DaybookProcessDown'],
    cause: async ({ apis, startApi }) => {
      apis[0]?.process.kill('SIGKILL');
      return () => startApi(0);
    },
  },
  {
    name: 'the worker is frozen',
    alerts: ['DaybookProcessDown', 'DaybookNoWorker'],
    cause: async ({ worker }) => {
      const { process } = worker();
      process.kill('SIGSTOP');
      return async () => void process.kill('SIGCONT');
    },
  },
  {
    name: 'the database is stopped, and members sign in',
    alerts: ['DaybookDatabaseAway', 'DaybookServerErrors'],
    cause: async ({ cluster, apiPorts }) => {
      await cluster.stop('immediate');
      const asking = setInterval(() => apiPorts.forEach(signIn), requestEveryMs);
      return async () => {
        clearInterval(asking);
        await cluster.start();
      };
    },
  },
  {
    name: 'the mail server refuses connections (age of the mail written)',
    alerts: ['DaybookMailDelayed'],
    cause: async ({ query }) => {
      await query(
        `INSERT INTO identity.mail_request (id, kind, recipient, subject_id, state, due_at, created_at)
         SELECT gen_random_uuid(), 'reset_password', email, id, 'waiting', now(), now() - interval '31 minutes' FROM identity.account`,
      );
      return async () => void (await query('DELETE FROM identity.mail_request'));
    },
  },
  {
    name: 'publishers refuse connections',
    alerts: ['DaybookSourcesFailing'],
    cause: async ({ wire }) => wire.refuse(),
  },
  {
    name: 'the archive command fails',
    alerts: ['DaybookArchivingFails'],
    cause: async ({ query }) => {
      const archiveWith = async (command: string): Promise<void> => {
        await query(`ALTER SYSTEM SET archive_command = '${command}'`);
        await query('SELECT pg_reload_conf()');
        await query('SELECT pg_switch_wal()');
      };
      await archiveWith('false');
      return () => archiveWith('true');
    },
  },
];

function signIn(port: number): void {
  const body = JSON.stringify({ email: 'editor@example.org', password: 'wrong password' });
  const headers = { 'content-type': 'application/json' };
  void fetch(`http://127.0.0.1:${port}/api/auth/token`, { method: 'POST', headers, body }).catch(() => null);
}
