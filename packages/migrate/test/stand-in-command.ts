import { runAndExit } from '../src/bin/system-host.ts';
import { classifyByName } from './stand-in-classifier.ts';

await runAndExit('all', classifyByName);
