import type { Score, ScoreInput, ScorePart } from './score.ts';
import { partWeights } from './score.ts';

/** One sentence with the reason, in the installation's language: the parts with at least half of their maximum. */
export function reasonOf(input: ScoreInput, score: Score, language: 'en' | 'zh'): string {
  const counts = (part: ScorePart): boolean => score.parts[part] >= partWeights[part] / 2;
  const by = counts('firstParty') ? 'company' : input.tier === 2 && counts('tier') ? 'press' : null;
  const parts: ReasonParts = {
    opening: input.novelty,
    by,
    about: counts('reach') ? input.reach.name : null,
    concrete: counts('substance'),
    owners: counts('coverage') ? input.owners : null,
  };
  return language === 'en' ? englishReason(parts) : chineseReason(parts);
}

interface ReasonParts {
  readonly opening: ScoreInput['novelty'];
  readonly by: 'company' | 'press' | null;
  readonly about: string | null;
  readonly concrete: boolean;
  readonly owners: number | null;
}

function englishReason({ opening, by, about, concrete, owners }: ReasonParts): string {
  const openings = {
    first: 'First report',
    adds: 'New facts on a known story',
    repeats: 'A report',
  } as const;
  const authors = { company: ' by the company itself', press: ' by an established publisher' } as const;
  return [
    openings[opening],
    by === null ? '' : authors[by],
    about === null ? '' : ` about ${about}`,
    concrete ? ', with concrete facts' : '',
    owners === null ? '' : `, carried by ${owners} independent publishers`,
    '.',
  ].join('');
}

function chineseReason({ opening, by, about, concrete, owners }: ReasonParts): string {
  const openings = { first: '首次报道', adds: '为已知事件补充事实', repeats: '一则报道' } as const;
  const authors = { company: '由当事公司发布', press: '来自主流媒体' } as const;
  const clauses = [
    openings[opening],
    by === null ? [] : authors[by],
    about === null ? [] : `涉及 ${about}`,
    concrete ? '有具体事实' : [],
    owners === null ? [] : `${owners} 家独立媒体跟进`,
  ];
  return `${clauses.flat().join('，')}。`;
}
