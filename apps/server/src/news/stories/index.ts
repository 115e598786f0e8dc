export { isSettled, storySummary, titleIn, wordStory } from './story-presenter.ts';
export type { WordedStory } from './story-presenter.ts';
