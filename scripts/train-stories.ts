import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { dataPath, describeMissingData } from '@daybook/evidence';

import { aliasTable, builtInAliases } from '../apps/server/src/newsroom/stories/matching/aliases.ts';
import type { StoryModel } from '../apps/server/src/newsroom/stories/matching/story-model.ts';
import type { GroupingScores } from '../bench/src/grouping/grouping-scores.ts';
import { scoreGrouping } from '../bench/src/grouping/grouping-scores.ts';
import { groupingDataSets, readLabelledSets, splitByStory } from '../bench/src/grouping/labelled-set.ts';
import { crossValidate, ownParts } from '../bench/src/grouping/own-labels.ts';
import { readPairLabels } from '../bench/src/grouping/pair-labels.ts';
import {
  fitHeadlines,
  fitTexts,
  labelledPairs,
  newswirePairs,
  windowPairs,
} from '../bench/src/grouping/story-training.ts';

// Trains the weights that decide whether two items describe one event, from Daybook's labels, the first 40 % of the
// stories of roundups-en and, for summaries, simulated worlds. Prints the cross-validation of several thresholds.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = new URL('../apps/server/src/newsroom/stories/matching/story-weights.json', import.meta.url);
const thresholds = { joinFrom: 0.5, relatedFrom: 0.2, mergeFrom: 0.5, founderFrom: 0.1 };

const missing = describeMissingData(root, groupingDataSets);
if (missing !== null) {
  console.error(`npm run stories:train needs ${missing}; see CONTRIBUTING.md`);
  process.exit(1);
}
const labels = readPairLabels(dataPath(root, '.'));
const roundups = readLabelledSets(dataPath(root, 'stories')).find(({ name }) => name === 'roundups-en');
if (roundups === undefined) throw new Error('roundups-en names no stories');

const aliases = aliasTable(builtInAliases());
const pairs = [
  ...labels.flatMap((set) => labelledPairs(set, aliases)),
  ...windowPairs(splitByStory(roundups, 0.4).first, aliases),
];
const weights = fitTexts(newswirePairs(), fitHeadlines(pairs));
const rounded = JSON.parse(
  JSON.stringify(weights, (_, value: unknown) => round(value)),
) as StoryModel['pairs'];
const content = { ...thresholds, pairs: rounded };
const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12);
const model: StoryModel = { version: `1-${hash}`, ...content };

const [aiNews] = labels;
const parts = aiNews === undefined ? [] : ownParts(aiNews);
for (const joinFrom of [0.3, 0.4, 0.45, 0.5, 0.55, 0.6]) {
  const { items, grouping } = crossValidate(parts, pairs, { model: { ...model, joinFrom }, aliases });
  console.log(
    `own labels, cross-validated, joined from ${joinFrom}: ${line(scoreGrouping(items, grouping))}`,
  );
}
writeFileSync(target, `${JSON.stringify(model, null, 2)}\n`);
console.log(`wrote version ${model.version}: ${pairs.length} labelled pairs`);

function round(value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

function line({ f1, precision, recall }: GroupingScores): string {
  return `F1 ${f1.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`;
}
