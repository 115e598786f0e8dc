import { foundationalTargets, idealStateTargets } from '../targets/target.ts';
import type { RoutingSummary } from './routing-summary.ts';

type InterviewTarget = (typeof foundationalTargets)[number] | (typeof idealStateTargets)[number];

const questions: Readonly<Record<InterviewTarget, string>> = {
  MISSION: 'What would you still work on if nobody paid or thanked you for it?',
  GOALS: 'What should be true a year from now that is not true today, and how would you know?',
  PROBLEMS: 'Which problem in the world do you keep coming back to?',
  STRATEGIES: 'What do you do on purpose, again and again, to get where you want to be?',
  CHALLENGES: 'What has stood in your way most this year?',
  BELIEFS: 'What do you hold to be true that people you respect do not?',
  WISDOM: 'Which lesson did you have to learn twice?',
  MODELS: 'Which picture of how things work do you reach for when you decide?',
  FRAMES: 'Which way of looking at a setback has helped you most?',
  NARRATIVES: 'How do you tell your story to someone you have just met?',
  SPARKS: 'When did you last forget the time, and what were you doing?',
  HEALTH: 'What does your body let you do on a good day, and what would you like it to?',
  MONEY: 'How much is enough, and what is it for?',
  FREEDOM: 'Which hours of the week are yours alone, and which would you like back?',
  RELATIONSHIPS: 'Whom do you want to be close to in ten years?',
  CREATIVE: 'What do you want to have made?',
  RHYTHMS: 'What does a day look like after which you are content?',
};
const sparseBelow = 2;

export interface InterviewQuestion {
  readonly target: InterviewTarget;
  readonly committed: number;
  readonly question: string;
}

/** What the notes say little or nothing about: worth a conversation of its own. */
export function interviewQuestions(summary: RoutingSummary): readonly InterviewQuestion[] {
  const counts = new Map<string, number>(summary.committed.map(({ target, count }) => [target, count]));
  return [...foundationalTargets, ...idealStateTargets]
    .map((target) => ({ target, committed: counts.get(target) ?? 0, question: questions[target] }))
    .filter(({ committed }) => committed < sparseBelow);
}
