import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import type { SourceSettings } from '../../ingest/sources/source.ts';
import { readStory } from '../../record/reading/story-reading-store.ts';
import { verifyRecord } from '../../record/wiring.ts';
import { rankStories } from '../rankings/rank-stories.ts';
import { explainItem } from '../stories/explain-story.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Article {
  readonly host: string;
  readonly title: string;
  readonly text: string;
}

let feeds = 0;

/** Lands and publishes one article after the other; returns the items in this order. */
async function publish(
  articles: readonly Article[],
  settings: (host: string) => Partial<SourceSettings> = () => ({}),
) {
  const current = new Map<string, Article>();
  const { fetcher } = await startPublisher(({ headers: { host = '' } }, response) => {
    const { title, text } = current.get(host) as Article;
    const id = title.replaceAll(/\W+/g, '-');
    response.end(
      `<rss version="2.0"><channel><title>${host}</title><item><guid>${id}</guid><link>http://${host}/${id}</link><title>${title}</title><description>${text}</description></item></channel></rss>`,
    );
  });
  const newsroom = createTestNewsroom(database, clock, fetcher);
  for (const article of articles) {
    current.set(article.host, article);
    const owned = { name: article.host, allSubjects: true, ...settings(article.host) };
    const source = await newsroom.add(`http://${article.host}/${feeds}`, owned);
    feeds += 1;
    await newsroom.poll(source);
    await newsroom.publish();
    clock.advance({ minutes: 1 });
  }
  const items = database.database.selectFrom('record.item').select(['id', 'story_id', 'voice', 'title']);
  return items.orderBy('discovered_at', 'desc').limit(articles.length).execute();
}

const sentences = [
  'OpenAI has opened a research office in Brno that will employ 120 engineers by the end of next year.',
  'The company rented four floors of a former textile mill on the Svratka, the city said on Monday.',
  'Rents in the district rose by a fifth since the plan became known, and two bakeries have already left.',
  'Students of the technical university hope for internships, while their professors fear for their assistants.',
  'A spokeswoman said that the office would work on voice models for languages with few speakers.',
  'The state pays 14 million dollars toward the renovation, provided that half of the posts go to graduates.',
];
const column = sentences.join(' ');

/** Seven publishers of one column, each with its own changes. */
const copies: readonly Article[] = [
  { host: 'alpha.example', title: 'OpenAI opens research office in Brno', text: column },
  {
    host: 'bravo.example',
    title: 'A textile mill for OpenAI: research office opens in Brno',
    text: `BRNO, Nov. 15 - ${column}`,
  },
  {
    host: 'charlie.example',
    title: 'OpenAI comes to Brno with a research office',
    text: sentences.slice(0, 4).join(' '),
  },
  {
    host: 'delta.example',
    title: 'Why OpenAI opened a research office in Brno',
    text: `By Jana Horak, Columnist. ${column}`,
  },
  {
    host: 'echo.example',
    title: 'Brno welcomes OpenAI research office',
    text: column.replace('a fifth', '20 percent').replace('Monday', 'Nov. 15'),
  },
  {
    host: 'foxtrot.example',
    title: 'OpenAI research office in Brno will employ 120',
    text: `${column} Copyright 2026 Column Service.`,
  },
  {
    host: 'golf.example',
    title: 'OpenAI opens its research office in a mill in Brno',
    text: sentences.slice(0, 5).join(' '),
  },
];

const independent: Article = {
  host: 'hotel.example',
  title: 'OpenAI picks Brno for a research office',
  text: 'Moravia gets a laboratory of OpenAI. The firm confirmed a lease in the southern centre of Brno and plans to hire 120 people within thirteen months. Our reporters counted eleven job advertisements, most of them for speech recognition. The mayor called the decision overdue after Vienna had lost the bid.',
};

async function storyOf(items: Awaited<ReturnType<typeof publish>>) {
  const [storyId, ...others] = new Set(items.map(({ story_id }) => story_id));
  expect(others).toEqual([]);
  const found = await readStory(database.database, storyId ?? '');
  if (found?.state !== 'standing') throw new Error('no story');
  return found.story;
}

test('seven copies of one text count as one independent source, and an independent report as the second', async () => {
  const items = await publish([...copies, independent]);
  const story = await storyOf(items);
  expect([story.reportCount, story.sourceCount]).toEqual([8, 2]);
  expect(new Set(items.map(({ voice }) => voice))).toEqual(new Set([null, 'alpha.example']));

  const publisher = createTestNewsroom(database, clock, (await startPublisher(() => {})).fetcher).allDeps
    .publisher;
  await database.database.transaction().execute((inside) => rankStories({ clock, publisher }, inside));
  const counted = await database.database
    .selectFrom('record.ranking_evidence')
    .select('owner')
    .distinct()
    .execute();
  expect(counted.map(({ owner }) => owner).sort()).toEqual(['alpha.example', 'hotel.example']);

  const copy = items.find(({ title }) => title === copies[1]?.title);
  expect((await explainItem(database.database, copy?.id as never))?.join('\n')).toContain(
    'It copies the text of',
  );
  const findings = await verifyRecord(database.database, clock.now());
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
}, 60_000);

test('an owner that mostly publishes the texts of another one counts with it also where no text can be compared', async () => {
  const events = ['Olomouc', 'Zlin', 'Ostrava', 'Pilsen', 'Liberec'].map((city, at) => ({
    title: `Anthropic signs a contract for ${at + 3}000 chips with the city of ${city}`,
    text: `Anthropic will rent ${at + 3}000 chips from the municipal utility of ${city} for ${at + 2} years. The ${city} council approved the contract at night after a debate of ${at + 4} hours. Residents of ${city} had collected signatures against the noise of the cooling towers beside the ${city} brewery.`,
  }));
  clock.advance({ hours: 96 });
  for (const event of events) {
    await publish(
      ['wire.example', 'client.example'].map((host) => ({
        ...event,
        host,
        title: `${event.title}${host === 'client.example' ? ', council says' : ''}`,
      })),
    );
    clock.advance({ hours: 30 });
  }
  const short = { title: 'Anthropic opens a data center in Karlovy Vary', text: '' };
  const own = { title: 'Anthropic opens its data center in Karlovy Vary', text: '' };
  const items = await publish([
    { host: 'wire.example', ...short },
    { host: 'client.example', ...own },
    { host: 'apart.example', ...own, title: 'A data center of Anthropic opens in Karlovy Vary' },
  ]);
  expect(await storyOf(items)).toMatchObject({ reportCount: 3, sourceCount: 2 });
}, 120_000);

test('sources of one configured syndicate count once', async () => {
  clock.advance({ hours: 96 });
  const items = await publish(
    ['north.example', 'south.example'].map((host) => ({
      host,
      title:
        host === 'north.example'
          ? 'Mistral buys the Hradec chess engine'
          : 'Mistral buys a chess engine of Hradec',
      text: `Readers of ${host} know the story.`,
    })),
    () => ({ syndicate: 'Compass Papers' }),
  );
  expect(await storyOf(items)).toMatchObject({ reportCount: 2, sourceCount: 1 });
}, 60_000);
