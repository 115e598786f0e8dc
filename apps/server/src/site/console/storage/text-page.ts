import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { contents, folders, texts } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import { buttonLink, emptyState } from '../components/parts.ts';
import { defineMemberPage } from '../console-route.ts';
import { platformPage, platformPath } from '../platform/platform-frame.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, breadcrumbs, requireOf, storageRequest, tabOf } from './storage-frame.ts';

const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 }));
const PassageQuery = closedObject({ start: offset, end: offset });

/** Shown of a longer text. */
const shownChars = 16_000;
/** Before a passage. */
const charsBefore = 1_000;
const textPath = '/platform/{org}/files/{id}/text';

/** The text of a file as a search and answers of agents read it, also of documents that browsers do not show. */
export function textPage(tools: StorageTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: textPath,
    operationId: 'showText',
    params: ThingParams,
    query: PassageQuery,
    problems: [forbidden, notFound, ...contents.scanProblems],
    show: async ({ visitor, params: { org, id }, query, request }) => {
      const asked = storageRequest(visitor, request);
      const view = await folders.viewFile(tools.files, { ...asked, fileId: id });
      requireOf(org, view.project);
      const found = await texts.readText(tools.files, { ...asked, fileId: id });
      const here = platformPath(org, 'files', id);
      const main =
        found.state === 'ready'
          ? shownText(`${here}/text`, found.text, query)
          : emptyState({
              icon: 'file',
              title:
                found.state === 'none'
                  ? say('This file has no text.')
                  : say('The text has not been extracted yet.'),
            });
      return platformPage(tools, visitor, {
        org,
        tab: tabOf(view),
        title: say('Text of {name}', { name: view.file.name }),
        crumbs: breadcrumbs(org, view, { file: view.file }),
        actions: buttonLink({ href: here, label: say('Open file'), icon: 'file' }),
        main,
      });
    },
  });
}

function shownText(
  here: string,
  text: string,
  { start = 0, end }: { readonly start?: number; readonly end?: number },
): string {
  const passage = { start: Math.min(start, text.length), end: Math.min(end ?? start, text.length) };
  const from = end === undefined ? passage.start : Math.max(0, passage.start - charsBefore);
  const to = Math.min(text.length, from + shownChars);
  const last = Math.max(passage.start, Math.min(passage.end, to));
  const marked =
    last > passage.start ? html`<mark id="passage">${text.slice(passage.start, last)}</mark>` : '';
  const earlier = Math.max(0, from - shownChars);
  return html`<pre
      tabindex="0"
      role="region"
      aria-label="${say('Content')}"
    ><code>${text.slice(from, passage.start)}!${marked}${text.slice(last, to)}</code></pre>
    <p>
      !${from > 0 ? buttonLink({ href: `${here}?start=${earlier}`, label: say('Previous part') }) : ''}
      !${to < text.length ? buttonLink({ href: `${here}?start=${to}`, label: say('Next part') }) : ''}
    </p>`;
}
