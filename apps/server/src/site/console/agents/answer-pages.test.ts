import { afterAll, beforeAll, expect, test } from 'vitest';

import { createRecordFactory, valueOf } from '../../../../test/factories/record-factory.ts';
import { openPage, sendForm } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';
import type { Id } from '../../../foundation/ids.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
const record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
let answersPath = '';
let itemId: Id<'item'>;
beforeAll(async () => {
  const body = { template_name: 'ai-mentor', new_mentor_name: 'Researcher' };
  const mentors = `/dm/api/ai-mentor/orgs/${acme.key}/users/${acme.owner.username}`;
  const made = await stage.send('POST', `${mentors}/mentor-with-settings/`, acme.owner.headers, body);
  answersPath = `/platform/${acme.key}/agents/${String(made.json()['unique_id'])}/answers`;
  itemId = await record.publish({
    title: 'Veltrane reports third-quarter results',
    summary: 'Veltrane reported third-quarter revenue of $4.2 billion & a <b>record</b> profit on Thursday.',
  });
});
afterAll(() => stage.stop());

const open = (path: string) => openPage(stage, path, ownerCookie);
const ask = (fields: Readonly<Record<string, string>>) =>
  sendForm(stage, answersPath, fields, { cookie: ownerCookie });

test('a member asks, reads the quoted sentence beside its source, and finds the question in the history', async () => {
  expect((await open(answersPath)).text).toContain('No questions yet.');
  const asked = await ask({ question: 'What was Veltrane’s third-quarter revenue?' });
  expect(asked.status).toBe(303);
  const answer = String(asked.headers['location']);
  const page = (await open(answer)).text;
  expect(page).toContain('revenue of $4.2 billion');
  expect(page).not.toContain('<b>record</b>');
  expect(page).toContain(`/items/${itemId}#:~:text`);
  expect(page).toContain('Veltrane%20reported%20third%2Dquarter');
  expect((await open(answersPath)).text).toContain('What was Veltrane’s third-quarter revenue?');
  const followUp = await ask({ question: 'And the profit?', follows: answer.split('/').at(-1) ?? '' });
  expect(followUp.status).toBe(303);
});

test('says that the sources do not answer a question, and shows an empty question again', async () => {
  const asked = await ask({ question: 'Who won the marathon in Osaka?' });
  expect((await open(String(asked.headers['location']))).text).toContain(
    'The sources do not answer this question.',
  );
  expect((await ask({ question: '' })).status).toBe(400);
});

test('leaves out a withdrawn source, and deletes an answer after a confirmation', async () => {
  const asked = await ask({ question: 'What was Veltrane’s third-quarter revenue?' });
  const answer = String(asked.headers['location']);
  valueOf(await record.publisher.withdrawItem({ itemId, reason: 'It is wrong.' }));
  const page = (await open(answer)).text;
  expect(page).not.toContain('4.2 billion');
  expect(page).toContain('A sentence whose source was withdrawn or can no longer be read.');
  expect((await open(`${answer}/remove`)).text).toContain('Delete this answer?');
  expect((await sendForm(stage, `${answer}/remove`, {}, { cookie: ownerCookie })).status).toBe(303);
  expect((await open(answer)).status).toBe(404);
});
