import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { readConfig } from '../../src/config/config.ts';
import { registerBackupMetrics } from '../../src/foundation/backups/backup-metrics.ts';
import { registerCacheMetrics } from '../../src/foundation/cache/cache-metrics.ts';
import { registerDatabaseMetrics } from '../../src/foundation/database/database-metrics.ts';
import { registerEngineMetrics } from '../../src/foundation/engine/engine-metrics.ts';
import { createHttpMetrics } from '../../src/foundation/http/http-metrics.ts';
import { registerMailMetrics } from '../../src/foundation/mail/mail-metrics.ts';
import { registerProcessMetrics } from '../../src/foundation/metrics/process-metrics.ts';
import { registerIngestMetrics } from '../../src/ingest/index.ts';
import { registerNewsroomMetrics } from '../../src/newsroom/index.ts';
import {
  registerLogMetrics,
  registerPurgeMetrics,
  registerReplicaMetrics,
  registerWindowMetrics,
} from '../../src/record/wiring.ts';
import { registerStorageMetrics } from '../../src/storage/wiring.ts';
import { registerInstallationMetrics } from '../../src/wiring/metrics/installation-metrics.ts';

const root = new URL('../../../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const rules = 'deploy/prometheus/alerts.yaml';
const ruleTests = 'deploy/prometheus/alerts.test.yaml';
const noPromtool = spawnSync('promtool', ['--version']).error !== undefined;

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
}

const { groups } = parse(read(rules)) as { readonly groups: readonly { readonly rules: AlertRule[] }[] };
const alerts = groups.flatMap((group) => group.rules);
const names = alerts.map(({ alert }) => alert).toSorted();

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const dashboard = JSON.parse(read('deploy/grafana/daybook.json')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

test('describes in the guide exactly the alerts that exist', () => {
  const headings = [...read('docs/guides/alerts.md').matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
  expect(headings.toSorted()).toEqual(names);
});

test('tests each alert with its fault and in calm', () => {
  const { tests } = parse(read(ruleTests)) as { readonly tests: readonly { readonly name: string }[] };
  const expected = names.flatMap((name) => [`${name} fires`, `${name} is silent`]);
  expect(tests.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
});

test('uses in alerts and dashboard only metrics that processes register', () => {
  const registered = registeredNames();
  const used = [...alerts.map(({ expr }) => expr), ...queries].flatMap(
    (expr) => expr.match(/\bdaybook_\w+/g) ?? [],
  );
  expect(used.length).toBeGreaterThan(40);
  expect(
    used.map((name) => name.replace(/_(bucket|count)$/, '')).filter((name) => !registered.has(name)),
  ).toEqual([]);
});

/** Nothing is read: gauges ask their dependencies at a scrape. */
function registeredNames(): ReadonlySet<string> {
  const registry = new Registry();
  const unread = {} as never;
  registerBackupMetrics(registry, unread, unread);
  registerCacheMetrics(registry, { counts: {} } as never, unread);
  registerDatabaseMetrics(registry, { application: unread });
  registerEngineMetrics(registry, unread);
  createHttpMetrics(registry, unread);
  registerIngestMetrics(registry, unread);
  registerLogMetrics(registry, unread);
  registerMailMetrics(registry, unread, {});
  registerNewsroomMetrics(registry, unread);
  registerProcessMetrics(registry);
  registerPurgeMetrics(registry, unread);
  registerReplicaMetrics(registry, unread);
  registerStorageMetrics(registry, unread, 0);
  registerWindowMetrics(registry, unread, unread);
  const config = readConfig({
    DAYBOOK_BASE_URL: 'https://daybook.example',
    DATABASE_URL: 'postgres://a@b/c',
  });
  registerInstallationMetrics(registry, unread, config);
  return new Set(registry.getMetricsAsArray().map(({ name }) => name));
}

test.skipIf(noPromtool)('fires each alert under its fault, and none in calm', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(root, ruleTests)], {
    encoding: 'utf8',
  });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
});

test.skipIf(noPromtool)('has queries in the dashboard that Prometheus can parse', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-dashboard-'));
  try {
    const file = join(folder, 'rules.json');
    const recorded = queries.map((expr, index) => ({ record: `panel:${index}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
