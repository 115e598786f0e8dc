/** One kind of question and the steps to it: the files written first, the command, and the keys. */
export interface QuestionCase {
  readonly name: string;
  /** Path below the folder of the test → content, written before the scan. */
  readonly files: Readonly<Record<string, string>>;
  /** Written after the scan was committed, and scanned again. */
  readonly edited?: Readonly<Record<string, string>>;
  /** Written after the scan. */
  readonly later?: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  /** Each key is pressed once its text is on the screen. */
  readonly way: readonly { readonly when: string; readonly press: readonly string[] }[];
  /** The text of the screen at the question itself. */
  readonly question: string;
  /** Earlier answers that must be saved. */
  readonly kept?: Readonly<Record<string, number>>;
}

const goals = { 'notes/a.md': '# A\nGOALS 80\n' };
const rule = (at: number): string => `# R${at}\nNever do ${at}.\n`;
const rules = (count: number): string => Array.from({ length: count }, (_, at) => rule(at)).join('\n');
const sections = (word: string): string =>
  [1, 2, 3, 4].map((at) => `# ${at}\nGOALS 8${at} ${word}\n`).join('\n');
const all = ['--approve-all'];
const enter = { press: ['Enter'] } as const;

export const questionCases: readonly QuestionCase[] = [
  {
    name: 'a target edited since the scan',
    files: { ...goals, 'knowledge/Foundation/GOALS.md': 'Old.\n' },
    later: { 'knowledge/Foundation/GOALS.md': 'Edited.\n' },
    flags: all,
    way: [],
    question: '1 of 1 · Add 1 chunk to Foundation/GOALS.md?',
  },
  {
    name: 'a note edited since the scan',
    files: goals,
    later: { 'notes/a.md': '# A\nGOALS 80 and more\n' },
    flags: all,
    way: [],
    question: '1 of 1 · 1 note changed since the scan. Commit the scanned text (1 chunk)?',
  },
  {
    name: 'a note edited after it was committed',
    files: goals,
    edited: { 'notes/a.md': '# A\nGOALS 80 and more\n' },
    flags: all,
    way: [],
    question: '1 of 1 · Replace the committed text?',
    kept: { scanned: 1, committed: 1 },
  },
  {
    name: 'many notes edited after they were committed',
    files: { 'notes/a.md': sections('first') },
    edited: { 'notes/a.md': sections('second') },
    flags: all,
    way: [],
    question: '1 of 1 · 4 chunks were edited after they were committed.',
    kept: { scanned: 4, committed: 4 },
  },
  {
    name: 'an ideal-state dimension',
    files: { 'notes/a.md': '# A\nHEALTH 80\n\n# B\nMONEY 80\n' },
    flags: all,
    way: [{ when: '1 of 2 · Add 1 note to your ideal state for HEALTH?', ...enter }],
    question: '2 of 2 · Add 1 note to your ideal state for MONEY?',
    kept: { approved: 1, scanned: 1 },
  },
  {
    name: 'the identity file',
    files: { 'notes/a.md': '# A\nPRINCIPAL_IDENTITY 80\n\n# B\nPRINCIPAL_IDENTITY 81\n' },
    flags: all,
    way: [{ when: '1 of 2 · Write this to your identity file', ...enter }],
    question: '2 of 2 · Write this to your identity file',
    kept: { approved: 1, scanned: 1 },
  },
  {
    name: 'one rule for agents',
    files: { 'notes/CLAUDE.md': rules(2) },
    flags: all,
    way: [{ when: '1 of 2 · Where should this rule for agents be stored?', ...enter }],
    question: '2 of 2 · Where should this rule for agents be stored?',
    kept: { approved: 1, scanned: 1 },
  },
  {
    name: 'what a permission does',
    files: { 'notes/CLAUDE.md': 'Never run `rm`.\n' },
    flags: all,
    way: [{ when: 'Where should this rule for agents be stored?', press: ['Down', 'Down', 'Enter'] }],
    question: '1 of 1 · What should happen?',
  },
  {
    name: 'the name of a skill',
    files: { 'notes/CLAUDE.md': 'Mind the gap.\n' },
    flags: all,
    way: [{ when: 'Where should this rule for agents be stored?', press: ['Down', 'Down', 'Down', 'Enter'] }],
    question: '1 of 1 · Which skill?',
  },
  {
    name: 'one duplicate',
    files: { ...goals, 'knowledge/Foundation/GOALS.md': 'x # A\nGOALS 80 x\n' },
    flags: all,
    way: [],
    question: '1 of 1 · The same text is already in Foundation/GOALS.md. Add it again?',
  },
  {
    name: 'many duplicates',
    files: { 'notes/a.md': '# A\nGOALS 80\n\n'.repeat(6) },
    flags: all,
    way: [],
    question: '1 of 1 · 5 chunks are already in their targets. Add them again?',
  },
  {
    name: 'the choices of the guided way',
    files: goals,
    flags: [],
    way: [],
    question: 'What do you want to do next?',
  },
  {
    name: 'a group of notes',
    files: goals,
    flags: [],
    way: [{ when: 'What do you want to do next?', ...enter }],
    question: '1 of 1 · Approve 1 note for GOALS?',
  },
  {
    name: 'what is below 70 % in the guided way',
    files: { 'notes/a.md': '# A\nGOALS 65\n' },
    flags: [],
    way: [{ when: 'What do you want to do next?', press: ['Down', 'Enter'] }],
    question: 'Approve 1 chunk below 70 % too?',
  },
  {
    name: 'the target to review in the guided way',
    files: { ...goals, 'notes/b.md': '# B\nWISDOM 80\n' },
    flags: [],
    way: [{ when: 'What do you want to do next?', press: ['Down', 'Down', 'Enter'] }],
    question: 'Which target?',
  },
  {
    name: 'a chunk under review',
    files: { 'notes/a.md': '# A\nGOALS 80\n\n# B\nGOALS 81\n' },
    flags: ['--review'],
    way: [{ when: 'Review 1 of 2', press: ['a'] }],
    question: 'Review 2 of 2',
    kept: { approved: 1, scanned: 1 },
  },
  {
    name: 'a question inside the review',
    files: { 'notes/a.md': '# A\nHEALTH 80\n' },
    flags: ['--review'],
    way: [{ when: 'Review 1 of 1', press: ['a'] }],
    question: 'Add notes to your ideal state for HEALTH?',
  },
  {
    name: 'the choice of a target inside the review',
    files: goals,
    flags: ['--review'],
    way: [{ when: 'Review 1 of 1', press: ['m'] }],
    question: 'Target: ▏',
  },
  {
    name: 'the commit at the end of a review',
    files: goals,
    flags: ['--review'],
    way: [{ when: 'Review 1 of 1', press: ['a'] }],
    question: 'Commit 1 approved chunk now?',
    kept: { approved: 1 },
  },
];
