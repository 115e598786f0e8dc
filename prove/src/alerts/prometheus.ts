import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
}

export interface ActiveAlert {
  readonly name: string;
  /** False while its condition has held for less than its duration. */
  readonly fires: boolean;
  readonly activeForMs: number;
}

/** A real Prometheus with the rules and the jobs that we ship. */
export interface Prometheus {
  readonly alerts: () => Promise<readonly ActiveAlert[]>;
  readonly stop: () => Promise<void>;
}

export interface PrometheusSettings {
  readonly root: string;
  readonly folder: string;
  readonly port: number;
  readonly apiPorts: readonly number[];
  readonly workerPort: number;
  readonly scrapeMs: number;
  /** How many times shorter the durations of rules are, and ranges of minutes. */
  readonly faster: number;
}

export const programs = ['prometheus', 'promtool'];
const readyWithinMs = 60_000;

export function describeMissingPrograms(): string | null {
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')} (Debian package prometheus)`;
}

export async function readRules(root: string): Promise<readonly AlertRule[]> {
  const text = await readFile(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8');
  return [...text.matchAll(/- alert: (\w+)\n +expr: '(.*)'\n +for: (\w+)/g)].map(
    ([, alert = '', expr = '', duration = '']) => ({ alert, expr, for: duration }),
  );
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

export function secondsOf(duration: string): number {
  const [, count = '0', unit = 's'] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return Number(count) * (unitSeconds[unit] ?? 1);
}

/** 0 without a range. */
export function longestRangeSeconds(expr: string): number {
  return Math.max(0, ...[...expr.matchAll(/\[(\w+)\]/g)].map(([, range = '']) => secondsOf(range)));
}

/** Never below a few scrapes: a range of one sample has no rate. */
export function shortened(duration: string, faster: number): number {
  return Math.max(5, Math.round(secondsOf(duration) / faster));
}

export async function startPrometheus(settings: PrometheusSettings): Promise<Prometheus> {
  const { root, folder, port } = settings;
  await mkdir(folder, { recursive: true });
  const file = await writeConfiguration(settings);
  const checked = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' });
  if (checked.status !== 0) throw new Error(`promtool refuses ${root}: ${checked.stdout}${checked.stderr}`);
  const words = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'series')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ];
  const child = spawn('prometheus', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  const deadline = performance.now() + readyWithinMs;
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error('Prometheus did not become ready');
    }
    await delay(100);
  }
  return { alerts: () => readAlerts(port), stop };
}

async function readAlerts(port: number): Promise<readonly ActiveAlert[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`);
  const { data } = (await answer.json()) as {
    readonly data: {
      readonly alerts: readonly {
        readonly state: string;
        readonly activeAt: string;
        readonly labels: { readonly alertname: string };
      }[];
    };
  };
  return data.alerts.map(({ state, activeAt, labels }) => ({
    name: labels.alertname,
    fires: state === 'firing',
    activeForMs: Date.now() - Date.parse(activeAt),
  }));
}

/** The shipped files with other addresses, intervals and durations. Ranges of hours stay. */
async function writeConfiguration(settings: PrometheusSettings): Promise<string> {
  const { root, folder, apiPorts, workerPort, scrapeMs, faster } = settings;
  const read = (name: string): Promise<string> => readFile(join(root, 'deploy/prometheus', name), 'utf8');
  const shipped = await read('alerts.yaml');
  const shorter = shipped
    .replaceAll(/\[(\d+m)\]/g, (_, range: string) => `[${shortened(range, faster)}s]`)
    .replaceAll(/(?<=^ +for: )\w+$/gm, (duration) => `${shortened(duration, faster)}s`);
  await writeFile(join(folder, 'alerts.yaml'), faster === 1 ? shipped : shorter);
  const list = (ports: readonly number[]): string => ports.map((port) => `127.0.0.1:${port}`).join(', ');
  const config = (await read('prometheus.yaml'))
    .replaceAll(/(?<=_interval: )\w+/g, `${scrapeMs}ms`)
    .replace('127.0.0.1:8080, 127.0.0.1:8082', list(apiPorts))
    .replace('127.0.0.1:8081, 127.0.0.1:8083', list([workerPort]))
    .replace(/^alerting:\n(?: .*\n)+/m, '');
  const file = join(folder, 'prometheus.yaml');
  await writeFile(file, config);
  return file;
}
