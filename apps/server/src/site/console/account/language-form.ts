import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { interfaceLanguages } from '../../shell/words/words.ts';
import type { PersonalTools } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import { languagePath } from '../frame/console-frame.ts';
import { languageCookie, setCookie } from '../visitor.ts';

const Language = closedObject({ language: Type.Enum([...interfaceLanguages]) });

/** Chooses the language of the console, and returns to the page of the form. */
export function languageForm(tools: PersonalTools): RouteDeclaration {
  const { authUrl } = tools.identity;
  return defineMemberForm(tools, {
    path: languagePath,
    operationId: 'chooseConsoleLanguage',
    body: Language,
    show: async ({ body, request, reply }) => {
      setCookie(reply, authUrl, { ...languageCookie, value: body.language });
      return { to: pathOfReferrer(request.headers.referer) };
    },
  });
}

/** Only the path: the form is sent by pages of this site. */
function pathOfReferrer(referrer = ''): string {
  const address = URL.parse(referrer);
  return address === null ? '/account' : `/${address.pathname.replace(/^\/+/, '')}`;
}
