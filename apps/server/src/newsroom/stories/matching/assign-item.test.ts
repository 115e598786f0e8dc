import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { aliasTable, builtInAliases } from './aliases.ts';
import type { StoryCandidate } from './assign-item.ts';
import { assignItem, mergeLikelihood } from './assign-item.ts';
import type { CorpusStatistics } from './corpus-statistics.ts';
import type { EntryTerms, StoryEntry } from './entry-terms.ts';
import { entryTerms } from './entry-terms.ts';
import { featureNames, pairFeatures, weighEntry } from './pair-features.ts';
import { parseStoryModel, shippedStoryModel } from './story-model.ts';

const aliases = aliasTable(builtInAliases());
const model = shippedStoryModel();
/** Statistics of a thousand items, none of them with these words. */
const statistics: CorpusStatistics = { items: 1000, itemsWith: () => 1 };
const noon = Date.UTC(2026, 10, 15, 12);

function item(title: string, rest: Partial<StoryEntry> = {}): EntryTerms {
  return entryTerms({ title, originalTitle: null, summary: '', url: null, at: noon, ...rest }, aliases);
}

type Members = StoryCandidate<number>['members'];

function weighAll(members: readonly EntryTerms[]): Members {
  return members.map((member) => weighEntry(member, statistics)) as unknown as Members;
}

function assign(title: string, ...stories: [EntryTerms, ...EntryTerms[]][]) {
  const candidates = stories.map((members, id) => ({ id, members: weighAll(members) }));
  return assignItem(weighEntry(item(title), statistics), candidates, model);
}

describe('an item', () => {
  test('joins the story of its event, in the same or the other language', () => {
    const founder = item('Corvanta raises $2.4 billion in funding led by Wangchuan Ventures');
    const other = item('Regulators open inquiry into Solmarch');
    for (const title of [
      'Corvanta secures $2.4B in funding round led by Wangchuan Ventures',
      'Corvanta 完成 24 亿美元融资，Wangchuan Ventures 领投',
    ]) {
      expect(assign(title, [other], [founder])).toMatchObject({ outcome: 'join', story: 1 });
    }
  });

  test('opens a story if none is likely, with the reason', () => {
    const founder = item('Regulators open inquiry into Solmarch');
    expect(assign('Corvanta raises $2.4 billion', [founder])).toMatchObject({
      outcome: 'open',
      reason: 'none-likely',
      modelVersion: model.version,
    });
    expect(assign('Corvanta raises $2.4 billion')).toMatchObject({
      outcome: 'open',
      reason: 'no-candidates',
    });
  });

  test('that corrects the figure of a story joins it', () => {
    const texts = {
      wells: {
        title: 'Yorvane satellite camera finds 5,200 unknown oil wells with a vision model',
        summary:
          'A vision model of Yorvane has found 5,200 forgotten oil wells in satellite pictures. Yorvane will publish a map of them.',
      },
      jobs: {
        title: 'Tarnhold dismisses 850 people of its search division',
        summary:
          'Tarnhold is dismissing 850 people in its search division. Tarnhold says that agents answer most queries now.',
      },
    };
    const corrected = {
      wells: {
        title: 'Yorvane corrects its count of oil wells to 3,900',
        summary:
          'Correction: the vision model of Yorvane has found 3,900 forgotten oil wells in satellite pictures. The first count of 5,200 was wrong.',
      },
      jobs: {
        title: 'Tarnhold dismisses 610 people, not 850',
        summary:
          'Tarnhold dismisses 610 people in its search division and not 850, a letter to the works council says.',
      },
    };
    for (const about of ['wells', 'jobs'] as const) {
      const founder = item(texts[about].title, { summary: texts[about].summary });
      const correction = item(corrected[about].title, { summary: corrected[about].summary });
      const candidates = [{ id: 0, members: weighAll([founder]) }];
      expect(assignItem(weighEntry(correction, statistics), candidates, model)).toMatchObject({
        outcome: 'join',
      });
    }
  });

  test('about another version does not join a story in the same words', () => {
    const founder = item('Corvanta releases Gnomon 5 with longer context');
    expect(assign('Corvanta releases Gnomon 6 with longer context', [founder])).toMatchObject({
      outcome: 'open',
      reason: 'clash',
      verdicts: [{ clash: 'version' }],
    });
  });

  test('that lists several events joins no story', () => {
    const founder = item('Corvanta raises $2.4 billion in funding');
    expect(assign('In brief: Corvanta raises $2.4 billion in funding', [founder])).toMatchObject({
      outcome: 'open',
      reason: 'roundup',
    });
  });

  test('similar to a late member but not to the founder does not join, so that stories do not chain', () => {
    const founder = item('Court fines Solmarch over copied lyrics');
    const bridge = item('Corvanta opens Lisbon lab with Wangchuan Ventures after Solmarch ruling');
    const assignment = assign('Corvanta opens Lisbon lab with Wangchuan Ventures', [founder, bridge]);
    expect(assignment.outcome).toBe('open');
    expect(assignment.verdicts[0]?.clash).toBe('unlike-founder');
  });
});

describe('two stories', () => {
  test('are merged when their items describe one event', () => {
    const one = item('Corvanta raises $2.4 billion in funding led by Wangchuan Ventures');
    const other = item('Corvanta secures $2.4B funding round led by Wangchuan Ventures');
    const far = item('Regulators open inquiry into Solmarch');
    const merge = (a: EntryTerms, b: EntryTerms) =>
      mergeLikelihood({ id: 1, members: weighAll([a]) }, { id: 2, members: weighAll([b]) }, model).merge;
    expect(merge(one, other)).toBe(true);
    expect(merge(one, far)).toBe(false);
  });
});

describe('features of a pair', () => {
  test('are finite and symmetric, whatever the texts contain', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom('Gnomon 5', '$2B', '英伟达发布', ''),
    );
    fc.assert(
      fc.property(fc.tuple(text, text, text), fc.tuple(text, text, text), ([t, s, u], [v, w, x]) => {
        const one = weighEntry(item(t, { summary: s, url: `https://a.example/${u}` }), statistics);
        const other = weighEntry(item(v, { summary: w, url: `https://b.example/${x}` }), statistics);
        const [there, back] = [pairFeatures(one, other), pairFeatures(other, one)];
        for (const name of featureNames) {
          expect(Number.isFinite(there[name])).toBe(true);
          expect(there[name]).toBeCloseTo(back[name], 9);
        }
      }),
    );
  });
});

describe('a file of weights', () => {
  test('for other features is refused', () => {
    const { pairs, ...rest } = model;
    const { titleCosine: _, ...fewer } = pairs.zh.weights;
    const bad = { ...rest, pairs: { ...pairs, zh: { bias: 0, weights: fewer } } };
    expect(() => parseStoryModel(JSON.stringify(bad))).toThrow('zh was trained for other features');
    expect(() => parseStoryModel(JSON.stringify({ ...model, joinFrom: 1.5 }))).toThrow('joinFrom');
  });
});
