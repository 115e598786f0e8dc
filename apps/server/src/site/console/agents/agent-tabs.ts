import { say } from '../../shell/words/say.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { buttonLink, tabs } from '../components/parts.ts';
import { platformPath } from '../platform/platform-frame.ts';
import { answerWords } from './answer-words.ts';
import { budgetWords } from './budget-words.ts';
import { scheduleWords } from './schedule-words.ts';

/** The pages about all agents of an organization. */
export function agentTabs(
  org: string,
  language: InterfaceLanguage,
  current: 'agents' | 'schedules' | 'budgets',
): string {
  const { agents } = wordsOf(language).console.sections;
  const views = [
    { name: 'agents', path: 'agents', label: agents },
    { name: 'schedules', path: 'schedules', label: scheduleWords(language).schedules },
    { name: 'budgets', path: 'agent-budgets', label: budgetWords(language).budgets },
  ];
  return tabs(
    agents,
    views.map(({ name, path, label }) => ({
      href: platformPath(org, path),
      label,
      isCurrent: name === current,
    })),
  );
}

/** Lead from the page of an agent to its versions, schedules and answers. */
export function agentLinks(here: string, language: InterfaceLanguage): string {
  const { schedules } = scheduleWords(language);
  const { answers } = answerWords(language);
  return (
    buttonLink({ href: `${here}/versions`, label: say('Versions') }) +
    buttonLink({ href: `${here}/schedules`, label: schedules, icon: 'clock' }) +
    buttonLink({ href: `${here}/answers`, label: answers, kind: 'primary' })
  );
}
