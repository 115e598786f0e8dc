import { setTimeout as delay } from 'node:timers/promises';

import type { SuiteContext } from '@daybook/evidence';

import type { DebianMachine } from './debian-machine.ts';

const publisher = '198.51.100.10';
const shownWithinMs = 180_000;
const edge =
  'curl --silent --show-error --cacert /etc/daybook/tls/authority.pem --resolve news.example.org:443:127.0.0.1 https://news.example.org';

async function succeed({ run }: DebianMachine, script: string): Promise<string> {
  const { code, output } = await run(`set -e\n${script}`);
  if (code !== 0) throw new Error(`${script}\n${output}`);
  return output.trim();
}

/** A feed at a public address of the machine's own network, served by its nginx binary once that is installed. */
export async function servePublisher(machine: DebianMachine): Promise<void> {
  const title = 'Example Labs releases a language model with open weights for research';
  const entries = [1, 2, 3]
    .map(
      (number) =>
        `<item><title>${title} ${number}</title><link>http://wire.example.com:8099/${number}</link><guid>${number}</guid><pubDate>${new Date(Date.now() - number * 60_000).toUTCString()}</pubDate><description>Example Labs released a language model with ${number}0 billion parameters on Tuesday. The weights are available for research, and the company published the training code of the model.</description></item>`,
    )
    .join('');
  await succeed(
    machine,
    `ip address add ${publisher}/32 dev lo
printf '${publisher} wire.example.com\\n127.0.0.1 news.example.org\\n' >> /etc/hosts
mkdir --parents /srv/publisher
cat > /srv/publisher/feed.xml <<'END'
<?xml version="1.0"?><rss version="2.0"><channel><title>Example Wire</title><link>http://wire.example.com:8099/</link><description>News</description>${entries}</channel></rss>
END
cat > /srv/publisher/serve.mjs <<'END'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
const feed = readFileSync('/srv/publisher/feed.xml');
createServer(({ url }, reply) => {
  const isFeed = url === '/feed.xml';
  reply.writeHead(isFeed ? 200 : 404, { 'content-type': 'application/rss+xml' }).end(isFeed ? feed : '');
}).listen(8099, '${publisher}');
END
cat > /etc/systemd/system/publisher.service <<'END'
[Service]
ExecStart=/bin/sh -c 'until [ -x /usr/local/bin/node ]; do sleep 1; done; exec /usr/local/bin/node /srv/publisher/serve.mjs'
END
systemctl start publisher`,
  );
}

async function untilPrinted(machine: DebianMachine, script: string, form: RegExp): Promise<string> {
  const deadline = performance.now() + shownWithinMs;
  for (;;) {
    const { output } = await machine.run(script);
    if (form.test(output)) return output;
    if (performance.now() > deadline) throw new Error(`${form} was not printed: ${output.slice(0, 500)}`);
    await delay(1_000);
  }
}

export async function checkInstallation(context: SuiteContext, machine: DebianMachine): Promise<void> {
  await untilPrinted(machine, `${edge}/api/v1/items`, /Example Labs/);
  await untilPrinted(machine, `${edge}/?language=all`, /Example Labs/);
  const failed = await succeed(
    machine,
    `set -a; . /etc/daybook/daybook.env; . /etc/daybook/owner.env; set +a
export NODE_EXTRA_CA_CERTS=/etc/daybook/tls/authority.pem
daybook doctor || true`,
  );
  for (const line of failed.split('\n')) context.note(line);
  const unexpected = failed.split('\n').filter((line) => line.startsWith('✗'));
  none(context, 'checks of daybook doctor that fail', unexpected, 'checks');
  const services = 'daybook-api@8080 daybook-api@8082 daybook-worker@8081 daybook-worker@8083 daybook-edge';
  const states = await succeed(
    machine,
    `for name in ${services}; do systemctl show --property=ActiveState,NRestarts --value "$name" | tr '\\n' ' '; echo "$name"; done`,
  );
  none(
    context,
    'services that are not active, or were started again',
    states.split('\n').filter((line) => !line.startsWith('active 0 ')),
    'services',
  );
  const rotated = await succeed(
    machine,
    `logrotate --force /etc/logrotate.d/daybook-edge
${edge}/livez > /dev/null
sleep 1
stat --format='%s %U' /var/lib/daybook-edge/access.log /var/lib/daybook-edge/access.log.1`,
  );
  none(
    context,
    'access logs that are empty after a rotation and a request',
    rotated.split('\n').filter((line) => !/^[1-9]\d* daybook-edge$/.test(line)),
    'logs',
  );
}

function none(context: SuiteContext, name: string, found: readonly string[], unit: string): void {
  for (const one of found) context.note(`${name}: ${one}`);
  context.figure({ name, value: found.length, unit, goal: { exactly: 0 } });
}

const settings = 'set -a; . /etc/daybook/daybook.env; . /etc/daybook/owner.env; set +a';

/** An item is withdrawn after the moment; the files in the repository are encrypted. */
export async function checkRestored(
  context: SuiteContext,
  machine: DebianMachine,
  restoreTo: (moment: string) => Promise<void>,
): Promise<void> {
  const readable = await succeed(
    machine,
    `grep --recursive --files-with-matches --text --extended-regexp 'Example Labs|PGDMP' /srv/backup/database || true`,
  );
  none(
    context,
    'files of the repository with readable text',
    readable.split('\n').filter((line) => line !== ''),
    'files',
  );
  const items = await succeed(machine, `${edge}/api/v1/items`);
  const ids = [...items.matchAll(/"id":"([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
  const moment = await succeed(machine, `sleep 2; date --utc '+%F %T+00'; sleep 2`);
  await succeed(
    machine,
    `${settings}
daybook newsroom withdraw ${ids[0] ?? ''} --reason 'The publisher asked for it.'
systemctl start daybook-revocations
runuser -u postgres -- psql --command 'SELECT pg_switch_wal()' > /dev/null
sleep 3`,
  );
  await restoreTo(moment);
  await untilPrinted(machine, `${edge}/api/v1/items`, /Example Labs/);
  const after = await succeed(machine, `${edge}/api/v1/items`);
  none(
    context,
    'items withdrawn after the moment and served after the restore',
    ids.slice(0, 1).filter((id) => after.includes(id)),
    'items',
  );
  context.figure({
    name: 'other items of the moment that are served after the restore',
    value: ids.slice(1).filter((id) => after.includes(id)).length,
    unit: 'items',
    goal: { exactly: ids.length - 1 },
  });
}

export async function checkUpgraded(context: SuiteContext, machine: DebianMachine): Promise<void> {
  const programs = await succeed(
    machine,
    `for name in daybook-api@8080 daybook-api@8082 daybook-worker@8081 daybook-worker@8083; do
  readlink /proc/$(systemctl show --property=MainPID --value "$name")/exe
done`,
  );
  none(
    context,
    'processes that do not run the new release after the upgrade',
    programs.split('\n').filter((line) => !line.startsWith('/opt/daybook/releases/next/')),
    'processes',
  );
  await untilPrinted(machine, `${edge}/api/v1/items`, /Example Labs/);
}
