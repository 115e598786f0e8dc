import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { deskReading } from '../../../newsroom/desk/index.ts';
import { deskJournal } from '../../../newsroom/desk/index.ts';
import { form, hidden, notice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { badge, card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { IdParams } from '../console-route.ts';
import { checkRoute } from './check-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { deskForm, formOf, formProperties, formState, requireDone } from './desk-frame.ts';
import { checked, evidenceLine, evidenceOf, findingsPart } from './item-parts.ts';
import { textLine } from './text-line.ts';

type Story = deskReading.DeskStory;

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const TitleForm = closedObject({
  ...formProperties,
  title: text(300),
  reason: text(500),
  unverified: text(400),
});
export type TypedTitle = Static<typeof TitleForm>;

interface StoryPages {
  readonly requireStory: (visit: DeskVisit, id: string) => Promise<Story>;
  readonly show: (
    visit: DeskVisit,
    id: string,
    options: { readonly problem: ProblemError; readonly retitle: TypedTitle },
  ) => Promise<PersonalPage>;
}

const trimmed = (typed = ''): string => typed.trim();

function stateOf(visit: DeskVisit, { title, items }: Story): string {
  const itemIds = items.map(({ id }) => id).sort();
  return formState(visit, deskJournal.versionOf({ kind: 'story', title, itemIds }));
}

/** The title of a story, and what the rules would call it if an editor wrote it. */
export async function titleCard(
  visit: DeskVisit,
  story: Story,
  { typed, problem }: { readonly typed: TypedTitle | undefined; readonly problem: ProblemError | undefined },
): Promise<string> {
  const { words } = visit;
  const isByEditor = story.byEditor.includes('title');
  return card({
    title: words.story.retitle,
    action: isByEditor ? badge('plain', say('By an editor')) : '',
    text: isByEditor
      ? say('An editor wrote it: rules propose another title, but do not change it.')
      : say('The title is by rule. Yours stays until an editor changes it.'),
    isPadded: true,
    content: html`!${isByEditor ? await proposalPart(visit, story) : ''}
    !${checked(
      `/desk/stories/${story.id}/retitle/check`,
      form({
        action: `/desk/stories/${story.id}/retitle`,
        submit: words.buttons.retitle,
        fields: html`!${stateOf(visit, story)}
        !${textLine('title', words.fields.title, { value: typed?.title ?? story.title })}
        !${textLine('reason', words.fields.privateReason, { value: typed?.reason ?? '' })}
        !${evidenceLine(visit, problem, typed)}`,
      }),
    )}
    !${findingsPart(words, null)}`,
  });
}

async function proposalPart(visit: DeskVisit, story: Story): Promise<string> {
  const proposed = await visit.editor.proposeStoryTitle(story.id);
  if (proposed === null) return '';
  return notice(
    'plain',
    html`<strong>${visit.words.item.proposal}.</strong> ${say('A later report contradicts the title:')}
      ${proposed}
      !${form({
        action: `/desk/stories/${story.id}/retitle`,
        submit: say('Use this title'),
        fields: html`!${stateOf(visit, story)}!${hidden('title', proposed)}
        !${hidden('reason', say('A later report contradicts the former title.'))}`,
        small: true,
      })}`,
  );
}

export function titleRoutes(
  tools: DeskTools,
  { requireStory, show }: StoryPages,
): readonly RouteDeclaration[] {
  return [
    deskForm(
      tools,
      { path: '/desk/stories/{id}/retitle', operationId: 'retitleStoryOnDesk', body: TitleForm },
      async (visit, id, body) => {
        const story = await requireStory(visit, id);
        if (trimmed(body.title) === '') throw invalidField('title', 'must not be empty');
        const done = await visit.editor.retitleStory({
          storyId: story.id,
          itemIds: story.items.map((item) => item.id),
          title: trimmed(body.title),
          reason: trimmed(body.reason),
          ...evidenceOf(body),
          ...formOf(body),
        });
        requireDone(visit.words, done);
        return { to: `/desk/stories/${id}?done=1` };
      },
      (visit, id, retitle, problem) => show(visit, id, { problem, retitle }),
    ),
    checkRoute(tools, {
      path: '/desk/stories/{id}/retitle/check',
      operationId: 'checkStoryTitleOnDesk',
      params: IdParams,
      body: TitleForm,
      check: async (visit, { params, body }) => {
        const story = await requireStory(visit, params.id);
        const itemIds = story.items.map(({ id }) => id);
        return visit.editor.checkStoryTitle(itemIds, trimmed(body.title));
      },
    }),
  ];
}
