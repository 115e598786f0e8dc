#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import { classify } from '../classify/classify.ts';
import { runProgram } from '../cli/program.ts';
import { systemHost } from './system-host.ts';

process.exitCode = await runProgram('scan', process.argv.slice(2), systemHost(classify));
