import { html } from 'ghtml';
import type { TObject } from 'typebox';

import type { RouteDeclaration, RouteInput } from '../../../foundation/http/route.ts';
import type { ProblemDefinition, ProblemError } from '../../../foundation/problem.ts';
import type { credentials } from '../../../identity/index.ts';
import { form, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { buttonLink } from '../components/parts.ts';
import type { Redirect } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTab, PlatformTools } from './platform-frame.ts';
import { platformPage } from './platform-frame.ts';

type Input<Params> = Pick<RouteInput<Params, undefined, undefined>, 'params' | 'request'> & {
  readonly visitor: Visitor;
  readonly client: credentials.Client;
};

export interface Removal {
  readonly org: string;
  readonly tab: PlatformTab;
  /** A question that names the resource. */
  readonly title: string;
  /** HTML: what is deleted with it. */
  readonly consequences: string;
  readonly submit: string;
  readonly action: string;
  /** Target of the cancel link. */
  readonly back: string;
}

/** An irreversible action is confirmed on a separate page, which names the resource and the consequences. */
export function removalPages<Params extends TObject>(
  tools: PlatformTools,
  route: {
    readonly path: string;
    readonly operationId: string;
    readonly params: Params;
    readonly problems: readonly ProblemDefinition[];
    readonly describe: (input: Input<Params>) => Promise<Removal>;
    readonly remove: (input: Input<Params>) => Promise<Redirect>;
  },
): readonly RouteDeclaration[] {
  const { path, operationId, params, problems, describe, remove } = route;
  const show = async (input: Input<Params>, problem?: ProblemError) => {
    const { org, tab, title, consequences, submit, action, back } = await describe(input);
    return platformPage(tools, input.visitor, {
      org,
      tab,
      title,
      main: html`!${problemNotice(problem)} !${consequences} !${form({ action, submit, dangerous: true })}
        <p>!${buttonLink({ href: back, label: say('Cancel') })}</p>`,
    });
  };
  return [
    defineMemberPage<Params>(tools, {
      path,
      operationId: `${operationId}Question`,
      params,
      problems,
      show: async (input) => show(input),
    }),
    defineMemberForm<Params>(tools, {
      path,
      operationId,
      params,
      problems,
      show: async (input) => remove(input),
      refused: async (input, problem) => show(input, problem),
    }),
  ];
}
