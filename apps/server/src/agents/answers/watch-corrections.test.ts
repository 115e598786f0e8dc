import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { createTestClock } from '../../../test/clock.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { dayMs } from '../../foundation/clock.ts';
import type { Id } from '../../foundation/ids.ts';
import { topicOf } from './watch-corrections.ts';

interface ShownAnswer {
  readonly id: string;
  readonly answered: boolean;
  readonly sentences: readonly {
    readonly text: string;
    readonly lang: string;
    readonly cites: readonly { readonly kind: string; readonly id: string; readonly quote: string }[];
  }[];
  readonly left_out: readonly unknown[];
  readonly sources: readonly { readonly kind: string; readonly title: string; readonly url: string }[];
}

const secret = 'Veltrane lost 930 million in a fraud.';
let stage: TestAccess;
let record: ReturnType<typeof createRecordFactory>;
let owner: TestMember;
let answersPath: string;
let withdrawn: Id<'item'>;
let corrected: Id<'item'>;

beforeAll(async () => {
  stage = await startTestAccess();
  record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  const organization = await stage.createOrganization();
  ({ owner } = organization);
  const base = `/dm/api/ai-mentor/orgs/${organization.key}/users/${owner.username}/`;
  const body = { template_name: 'correction-watcher', new_mentor_name: 'Watcher' };
  const made = await stage.send('POST', `${base}mentor-with-settings/`, owner.headers, body);
  answersPath = `${base}mentors/${String(made.json()['unique_id'])}/answers/`;
  const earlier = createRecordFactory({
    database: stage.database.database,
    clock: createTestClock(new Date(stage.clock.nowMs() - 8 * dayMs).toISOString()),
  });
  const old = await earlier.publish({ title: 'Veltrane opens a plant' });
  valueOf(await earlier.publisher.withdrawItem({ itemId: old, reason: 'It was said eight days ago.' }));
  withdrawn = await record.publish({ title: secret, summary: secret, sourceName: 'Harbour Wire' });
  const other = await record.publish({ title: 'Veltrane publishes its accounts' });
  corrected = await record.publish({ title: 'Corvid employs 190 people', summary: 'In Leeds.' });
  valueOf(
    await record.publisher.openStory({ title: 'The accounts of Veltrane', itemIds: [withdrawn, other] }),
  );
  valueOf(await record.publisher.withdrawItem({ itemId: withdrawn, reason: 'It was invented.' }));
  stage.clock.advance({ minutes: 5 });
  const changes = { title: 'Corvid employs 1,900 people' };
  valueOf(await record.publisher.correctItem({ itemId: corrected, changes, reason: 'A digit was missing.' }));
});
afterAll(() => stage.stop());

const ask = async (question: string): Promise<ShownAnswer> =>
  (await stage.send('POST', answersPath, owner.headers, { question })).json() as unknown as ShownAnswer;
const textsOf = ({ sentences }: ShownAnswer): readonly string[] => sentences.map(({ text }) => text);
const day = (): string => new Date(stage.clock.nowMs()).toISOString().slice(0, 10);

describe('an agent of the template correction-watcher', () => {
  test('lists all corrections of seven days, newest first, each with a citation, and no word of a withdrawn item', async () => {
    const answer = await ask('Which reports were corrected or withdrawn in the last days?');
    expect(textsOf(answer)).toEqual([
      `The item “Corvid employs 1,900 people” of The Wire (Models, ${day()}) was corrected on ${day()}. Reason: A digit was missing.`,
      `The item of Harbour Wire (Models, ${day()}) in the story “The accounts of Veltrane” was withdrawn on ${day()}. Reason: It was invented.`,
    ]);
    expect(JSON.stringify(answer)).not.toContain('930');
    for (const { text, cites } of answer.sentences)
      expect(cites).toMatchObject([{ kind: 'correction', id: expect.stringMatching(/^en\//), quote: text }]);
    const [{ title, url } = { title: '', url: '' }] = answer.sources;
    expect([title, url]).toEqual(['Item corrected', expect.stringMatching(/\/corrections#[0-9a-f-]{36}$/)]);
  });

  test.each([
    ['Was anything about Veltrane withdrawn?', 'It was invented.'],
    ['Corrections of Harbour Wire', 'It was invented.'],
    ['Corvid', 'A digit was missing.'],
    ['digits', 'A digit was missing.'],
  ])('finds “%s” by what the record still shows', async (question, reason) => {
    expect(textsOf(await ask(question))).toEqual([expect.stringContaining(reason)]);
  });

  test('answers in the language of the question', async () => {
    const { sentences } = await ask('有哪些关于 Veltrane 的报道被撤回？');
    expect(sentences).toMatchObject([
      {
        text: `资讯（信源：Harbour Wire，类别：模型，${day()}），所属事件“The accounts of Veltrane”，于 ${day()} 被撤回。原因：It was invented.`,
        lang: 'zh',
      },
    ]);
  });

  test('has no sentence if the record has no correction of the topic', async () => {
    expect(await ask('Osaka marathon')).toMatchObject({ answered: false, sentences: [], left_out: [] });
  });

  test('shows the title of a corrected item only until the item is withdrawn, and stores no sentence', async () => {
    const { id } = await ask('Corvid');
    const rows = await stage.database.asSuperuser('SELECT sentences::text AS row FROM agents.answer');
    expect(rows.map(({ row }) => String(row)).join('\n')).not.toContain('Corvid');
    valueOf(await record.publisher.withdrawItem({ itemId: corrected, reason: 'It was invented too.' }));
    const again = await stage.send('GET', `${answersPath}${id}/`, owner.headers);
    expect(textsOf(again.json() as unknown as ShownAnswer)).toEqual([
      `The item of The Wire (Models, ${day()}) was corrected on ${day()}. Reason: A digit was missing.`,
    ]);
  });
});

test.each([
  ['What was corrected since yesterday?', true],
  ['最近有哪些报道被更正或撤回？', true],
  ['Corrections about Corvid', false],
  ['关于海岸实验室的更正', false],
])('“%s” names no topic: %s', (question, isEvery) => {
  expect(topicOf(question)('Prices of inference fall')).toBe(isEvery);
});
