import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskSources } from '../../../newsroom/desk/index.ts';
import { field, form } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { deskForm, formOf, formProperties, formState, requireDone } from './desk-frame.ts';
import { reasonField, registryOf, sourcePath } from './source-parts.ts';

const name = Type.Optional(Type.String({ maxLength: 200 }));
const OwnerForm = closedObject({
  ...formProperties,
  owner: name,
  syndicate: name,
  reason: Type.Optional(Type.String({ maxLength: 500 })),
});

export interface TypedOwner {
  readonly owner?: string;
  readonly syndicate?: string;
  readonly reason?: string;
}

/** Which sources count as one: those of an owner, and those that publish the same texts. */
export async function ownerCard(
  visit: DeskVisit,
  source: deskSources.Source,
  typed: TypedOwner = {},
): Promise<string> {
  const names = await deskSources.readOwnerNames(visit.tools.desk.database);
  const suggestionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  return card({
    title: say('Owner'),
    text: say('Sources of one owner, or of one syndication group, count as one independent source.'),
    isPadded: true,
    content: form({
      action: `${sourcePath(source.id)}/owner`,
      submit: say('Change owner'),
      fields: html`!${formState(visit, deskSources.versionOfSource(source))}
      !${field({
        name: 'owner',
        label: say('Owner'),
        value: typed.owner ?? source.owner,
        maxLength: 200,
        autocomplete: 'off',
        suggestions: suggestionsOf(names.owners),
      })}
      !${field({
        name: 'syndicate',
        label: say('Syndication group'),
        hint: say('A common name for sources that publish the same texts. Leave empty for none.'),
        value: typed.syndicate ?? source.syndicate ?? '',
        maxLength: 200,
        autocomplete: 'off',
        required: false,
        suggestions: suggestionsOf(names.syndicates),
      })}
      !${reasonField(visit.words.fields.privateReason, typed.reason)}`,
    }),
  });
}

const oneLine = (text = ''): string => text.replaceAll(/\s+/gu, ' ').trim();

export function ownerForm(
  tools: DeskTools,
  show: (
    visit: DeskVisit,
    id: string,
    options: { readonly problem: ProblemError; readonly typedOwner: TypedOwner },
  ) => Promise<PersonalPage>,
): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/sources/{id}/owner', operationId: 'changeOwnerOnDesk', body: OwnerForm },
    async (visit, id, body) => {
      const [owner, syndicate] = [oneLine(body.owner), oneLine(body.syndicate)];
      const changed = await registryOf(visit).changeOwner({
        id: id as Id<'source'>,
        owner,
        syndicate: syndicate === '' ? null : syndicate,
        reason: oneLine(body.reason),
        ...formOf(body),
      });
      requireDone(visit.words, changed);
      return { to: `${sourcePath(id)}?done=1` };
    },
    (visit, id, typedOwner, problem) => show(visit, id, { problem, typedOwner }),
  );
}
