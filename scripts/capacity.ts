import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { readBenchmarks } from '@daybook/evidence';

import {
  constantSources,
  listMissingSuites,
  readConstants,
  readLargestError,
} from '../bench/src/capacity/constants.ts';
import type { Demand, Plan } from '../bench/src/capacity/model.ts';
import { assumptions, planCapacity } from '../bench/src/capacity/model.ts';

// Prints the processes, the edge and the database for a load, computed from measured constants.
const sizes: Readonly<Record<string, Demand>> = {
  S: { clients: 1_000, entriesPerDay: 1_000, accounts: 100, sources: 350 },
  M: { clients: 100_000, entriesPerDay: 100_000, accounts: 100_000, sources: 10_000 },
  L: { clients: 1_000_000, entriesPerDay: 1_000_000, accounts: 10_000_000, sources: 100_000 },
};
const recorded = readBenchmarks(
  readFileSync(fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)), 'utf8'),
);

function printPlan(name: string, demand: Demand, { polls, edge, api, workers, database }: Plan): void {
  const count = (value: number, digits = 0): string =>
    Number.isNaN(value) ? '(not measured)' : value.toLocaleString('en-US', { maximumFractionDigits: digits });
  console.log(`
${name}: ${count(demand.clients)} clients that poll once a minute, ${count(demand.entriesPerDay)} entries a day, ${count(demand.accounts)} accounts, ${count(demand.sources)} sources
  polls      ${count(polls.perSecond, 1)} a second, ${count(edge.gigabitsPerSecond, 3)} Gbit/s
  edge       ${edge.processors === null ? 'not needed for the processors: two api processes answer all polls' : `${count(edge.processors)} processors of nginx, or a CDN`}
  api        ${count(api.processes)} processes; ${count(api.requestsPerSecond, 1)} polls a second reach them
  worker     ${count(workers.processes)} processes; ${count(workers.pollsPerSecond, 1)} sources polled a second
  database   ${count(database.processors)} processors for publication, ${count(database.gigabytesPerYear, 1)} GB a year, ${count(database.connections)} connections${database.needsPooler ? ': use PgBouncer' : ''}`);
}

const { values } = parseArgs({
  options: {
    clients: { type: 'string' },
    entries: { type: 'string' },
    accounts: { type: 'string', default: '0' },
    sources: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`npm run capacity -- [--clients N --entries N [--accounts N] [--sources N]]

  --clients   programs and readers that poll once a minute
  --entries   entries of feeds a day
  --accounts  accounts that sign in
  --sources   feeds; by default one for ten entries a day
Without numbers, it prints three sizes. Measured constants, from docs/benchmarks.md:`);
  for (const { suite, name, unit } of Object.values(constantSources))
    console.log(`  bench ${suite}: ${name}, ${unit}`);
  console.log('Assumptions:');
  for (const [name, value] of Object.entries(assumptions)) console.log(`  ${name} ${value}`);
  process.exit(0);
}
const constants = readConstants(recorded);
if (values.clients === undefined && values.entries === undefined)
  for (const [name, demand] of Object.entries(sizes))
    printPlan(name, demand, planCapacity(demand, constants));
else {
  const entriesPerDay = readCount('entries', values.entries ?? '0');
  const demand = {
    clients: readCount('clients', values.clients ?? '0'),
    entriesPerDay,
    accounts: readCount('accounts', values.accounts),
    sources: readCount('sources', values.sources ?? String(Math.ceil(entriesPerDay / 10))),
  };
  printPlan('This load', demand, planCapacity(demand, constants));
}
const missing = listMissingSuites(constants);
if (missing.length > 0)
  console.log(`\nConstants are missing: npm run bench -- ${missing.join(' ')} --update-docs records them.`);
const error = readLargestError(recorded);
console.log(
  error === null
    ? '\nNo measured configuration was compared with the model.'
    : `\nConfigurations measured by bench capacity needed up to ${Math.round(error * 100)} % more or less than predicted.`,
);

function readCount(name: string, text: string): number {
  const count = Number(text.replaceAll(/[_,]/g, ''));
  if (text !== '' && Number.isInteger(count) && count >= 0) return count;
  console.error(`--${name} must be a whole number, for example 100000.`);
  return process.exit(2);
}
