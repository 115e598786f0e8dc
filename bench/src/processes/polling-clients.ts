import type { PollDemand } from '../million/poll-run.ts';
import { runPolls } from '../million/poll-run.ts';

// Simulates polling clients for one demand, and reports to its parent process.
const demand = JSON.parse(process.argv[2] ?? '') as PollDemand;
const report = await runPolls(demand, () => process.send?.('measuring'));
process.send?.(report, () => process.exit(0));
