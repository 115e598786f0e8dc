import type { AlertRule } from './prometheus.ts';

/** Written only where the installation has them: a public certificate, a replica. */
const ofOtherInstallations: ReadonlySet<string> = new Set([
  'daybook_certificate_expires_seconds',
  'daybook_news_replica_current',
]);

/** Metrics that rules use and that none of these processes names at `/metrics`. */
export async function findUnexportedMetrics(
  rules: readonly AlertRule[],
  ports: readonly number[],
): Promise<readonly string[]> {
  const texts = await Promise.all(
    ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  const exported = new Set(
    texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)),
  );
  const used = new Set(rules.flatMap(({ expr }) => expr.match(/\bdaybook_\w+/g) ?? []));
  return [...used].filter(
    (name) => !exported.has(name.replace(/_(?:bucket|count)$/, '')) && !ofOtherInstallations.has(name),
  );
}
