import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import type { Clock } from '../../foundation/clock.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import { idForm } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { RecordReader } from '../../record/index.ts';
import { recordCacheTags, storyTag } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import type { LanguageQuery } from '../reader-language-query.ts';
import { withLanguage } from '../reader-language-query.ts';
import { presentStory, wordStory } from './story-presenter.ts';
import type { Story } from './story-schema.ts';

export interface StoryDeps {
  readonly record: RecordReader;
  readonly clock: Clock;
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

/** Writes one format of a story, and the address of another story in that format. */
export interface StoryForm {
  readonly name: string;
  readonly path: (publicId: string) => string;
  /** `path`: of this story in the requested language. */
  readonly write: (story: Story, path: string) => BuiltBody;
}

export interface StoryRequest extends LanguageQuery {
  readonly publicId: string;
}

export function storyResource(
  deps: StoryDeps,
  { publicId, language = deps.language }: StoryRequest,
  form: StoryForm,
): Resource {
  if (!deps.storyLayer || !idForm.test(publicId)) throw storyNotFound();
  return {
    key: `${form.name} ${language} ${publicId}`,
    cacheTags: [recordCacheTags.stories],
    edgeTags: [storyTag(publicId)],
    build: async () => {
      const found = await deps.record.story(publicId);
      if (found === null) throw storyNotFound();
      const pathOf = (id: string): string => withLanguage(deps, form.path(id), language);
      if (found.state === 'merged') return redirectTo(pathOf(found.into));
      const story = wordStory(found.story, [language, deps.language]);
      return form.write(presentStory(story, deps.addresses, deps.clock.now()), pathOf(publicId));
    },
  };
}

/** The same text for an unknown story and a disabled story layer. */
function storyNotFound(): ProblemError {
  return new ProblemError(notFound, 'Story not found.');
}

function redirectTo(path: string): BuiltBody {
  return { status: 308, contentType: 'text/plain; charset=utf-8', body: '', headers: { location: path } };
}
