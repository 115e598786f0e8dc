import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { dataPath, describeMissingData } from '@daybook/evidence';

import { classifiedDataSets, readClassifiedTexts } from '../bench/src/judgement/classified-texts.ts';
import { heldOutFigures } from '../bench/src/judgement/judgement-figures.ts';
import {
  scoreHeldOutSites,
  trainingTexts,
  trainJudgement,
} from '../bench/src/judgement/judgement-training.ts';

// Trains the weights that decide whether a text is about the AI industry and what kind of text it is, from the labels
// of bench/src/judgement, from sources with one subject and from a simulated world. Prints the figures of sites that
// were left out of the training.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = new URL('../apps/server/src/newsroom/copy/judgement/judgement-weights.json', import.meta.url);
const missing = describeMissingData(root, classifiedDataSets);
if (missing !== null) {
  console.error(`npm run judgement:train needs ${missing}; see CONTRIBUTING.md`);
  process.exit(1);
}
const texts = trainingTexts(readClassifiedTexts(dataPath(root, '.')));
const figures = heldOutFigures(scoreHeldOutSites(texts));
for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
const model = trainJudgement(texts, figures);
writeFileSync(target, `${JSON.stringify(model, null, 2)}\n`);
console.log(`wrote version ${model.version}: ${texts.length} texts`);
