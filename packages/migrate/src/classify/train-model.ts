import { writeFileSync } from 'node:fs';

import { formatModel, modelAddress } from './classifier-model.ts';
import { readExamples } from './example-set.ts';
import { trainModel } from './model-training.ts';

const examples = readExamples();
const source = formatModel(trainModel(examples));
writeFileSync(modelAddress, source);
process.stdout.write(`${examples.length} examples, ${source.split('\n').length} lines of weights\n`);
