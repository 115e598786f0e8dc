import type { answers } from '../agents/index.ts';
import { isoMilliseconds } from '../foundation/instant.ts';
import { readerLanguages } from '../foundation/reader-language.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import type { NewsDeps } from '../news/index.ts';
import type { recorded } from '../record/index.ts';
import { corrections, items } from '../record/index.ts';
import { wordCorrection } from './word-correction.ts';

type Deps = Pick<NewsDeps, 'record' | 'baseUrl'>;
type Source = answers.CitableSource;
type Correction = recorded.RecordedCorrection;
type Watch = Parameters<answers.AnswerSources['findCorrections']>[1];

/** Of those that are searched, and of those that an answer lists. */
const readMax = 500;
const listedMax = 50;

/** Corrections since that time that are about the topic, newest first, as sources in our own words. */
export async function findCorrections(
  deps: Deps,
  { since, language, isAbout }: Watch,
): Promise<readonly Source[]> {
  const recent = await deps.record.corrections({ after: null, rowsMax: readMax, withStories: true });
  const found: Source[] = [];
  for (const correction of recent) {
    if (correction.at < since || found.length === listedMax) break;
    const shown = await readShown(deps, correction);
    if (isAbout(shown.about)) found.push(sourceOf(deps, correction, shown, language));
  }
  return found;
}

/** `en/<id>`: a correction in the words of a language. */
export async function readCorrection(deps: Deps, reference: string): Promise<Source | null> {
  const [worded, id = ''] = reference.split('/');
  const language = readerLanguages.find((one) => one === worded);
  if (language === undefined) return null;
  const [correction] = await deps.record.corrections({ after: null, rowsMax: 1, withStories: true, id });
  return correction === undefined
    ? null
    : sourceOf(deps, correction, await readShown(deps, correction), language);
}

interface Shown {
  readonly title: string | null;
  readonly story: string | null;
  /** Everything that the record shows of it, to compare with a topic. */
  readonly about: string;
}

/** What the record shows of the subject now: of a withdrawn item, its source, its category and its story. */
async function readShown(deps: Deps, correction: Correction): Promise<Shown> {
  const { subject, item, otherStoryId, reason } = correction;
  const storyId = subject.kind === 'story' ? otherStoryId : (item?.storyId ?? null);
  const [own, story] = await Promise.all([
    readSubject(deps, correction),
    storyId === null ? null : readStory(deps, storyId),
  ]);
  const texts = [own?.text, story?.text, item?.sourceName, item?.category, reason];
  return {
    title: own?.title ?? null,
    story: story?.title ?? null,
    about: texts.filter((text) => text !== undefined).join('\n'),
  };
}

interface Titled {
  /** Null of an edition, which its period names. */
  readonly title: string | null;
  readonly text: string;
}

async function readSubject({ record, baseUrl }: Deps, { subject }: Correction): Promise<Titled | null> {
  if (subject.kind === 'story') return readStory({ record }, subject.id);
  if (subject.kind === 'item') {
    const found = await record.item(subject.id);
    if (found?.state !== 'standing') return null;
    const { title, summary } = JSON.parse(items.withBaseUrl(found.body, baseUrl)) as items.ItemBody;
    return { title, text: `${title}\n${summary}` };
  }
  const edition = await record.edition(subject.kind, subject.id);
  return edition === null ? null : { title: null, text: `${edition.headline}\n${edition.overview}` };
}

async function readStory({ record }: Pick<Deps, 'record'>, id: string): Promise<Titled | null> {
  const found = await record.story(id);
  if (found?.state !== 'standing') return null;
  const { title, digest } = found.story;
  return { title, text: `${title}\n${digest?.text ?? ''}` };
}

function sourceOf(
  { baseUrl }: Deps,
  correction: Correction,
  { title, story }: Shown,
  language: ReaderLanguage,
): Source {
  const { id, at, action, subject, item } = correction;
  const { reason } = corrections.wordCorrectionReason(correction.reason, language);
  const source = item === null ? null : { ...item, name: item.sourceName };
  return {
    kind: 'correction',
    id: `${language}/${id}`,
    ...wordCorrection({ action, subject, at, reason, title, story, source }, language),
    day: isoMilliseconds(at).slice(0, 10),
    language,
    url: `${baseUrl}/corrections#${id}`,
    publisher: null,
  };
}
