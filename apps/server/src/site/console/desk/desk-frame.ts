import { html } from 'ghtml';
import type { TObject } from 'typebox';
import { Type } from 'typebox';

import type { callers } from '../../../access/index.ts';
import { permissions } from '../../../access/index.ts';
import { canonicalJson } from '../../../foundation/canonical-json.ts';
import { sha256 } from '../../../foundation/hash.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { ProblemDefinition } from '../../../foundation/problem.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import type { DeskDeps, deskJournal } from '../../../newsroom/desk/index.ts';
import { authorizeDesk, deskLive, personDecider } from '../../../newsroom/desk/index.ts';
import type { EditorDesk } from '../../../newsroom/index.ts';
import { createEditorDesk } from '../../../newsroom/index.ts';
import { hidden, notice, problemNotice } from '../../shell/form-controls.ts';
import type { DeskWords } from '../../shell/words/desk-english.ts';
import { say, sayKnown } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { difference } from '../components/parts.ts';
import type { PersonalPage, Shown } from '../console-route.ts';
import { IdParams, defineMemberForm } from '../console-route.ts';
import type { Link } from '../frame/console-frame.ts';
import type { PlatformTools } from '../platform/platform-frame.ts';
import { callerOfVisitor, platformPage } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { findingText } from './finding-text.ts';
import type { DeskSubject } from './live-parts.ts';
import { keysPart, livePart, subjectText } from './live-parts.ts';

type SubjectState = NonNullable<deskJournal.JournalEntry['before']>;
type DeskOutcome = Awaited<ReturnType<EditorDesk['undo']>>;

export interface DeskTools extends PlatformTools {
  readonly desk: DeskDeps;
}

/** A person at the desk. */
export interface DeskVisit {
  readonly tools: DeskTools;
  readonly visitor: Visitor;
  readonly words: DeskWords;
  readonly editor: EditorDesk;
  /** Whether the person may act on a resource of the newsroom; the decision checks again. */
  readonly may: (action: permissions.Action, ...resource: readonly string[]) => boolean;
  readonly actor: callers.OrganizationActor;
  /** What the page shows: its events start after this. */
  readonly start: string;
}

/** 404 for everyone but members of the newsroom's organization with a permission there. */
export async function enterDesk(tools: DeskTools, visitor: Visitor): Promise<DeskVisit> {
  const { desk, access } = tools;
  const actor = await authorizeDesk({ access, ...desk }, callerOfVisitor(visitor));
  // Before anything else is read for the page.
  const start = await deskLive.readPresentStart(desk.database, desk.events.nowMs());
  const at = (rest: readonly string[]) => permissions.resourceOf(desk.organization, 'newsroom', ...rest);
  return {
    tools,
    visitor,
    words: wordsOf(visitor.language).console.desk,
    editor: createEditorDesk({ ...desk, decider: personDecider(access, actor) }),
    may: (action, ...resource) => permissions.allows(actor.authority, action, at(resource)),
    actor,
    start,
  };
}

export type DeskSection = keyof DeskWords['sections'];

interface DeskPage extends Pick<PersonalPage, 'title' | 'main'> {
  readonly section: DeskSection;
  /** What the forms of the page are about. */
  readonly about?: DeskSubject;
  readonly lead?: string;
  readonly actions?: string;
  readonly tabs?: string;
  readonly crumbs?: readonly Link[];
}

export async function deskPage(
  visit: DeskVisit,
  { section, about, main, ...page }: DeskPage,
): Promise<PersonalPage> {
  const { tools, visitor, words, start } = visit;
  const editing =
    about === undefined ? [] : await deskLive.readEditing(tools.desk.database, subjectText(about));
  const others = editing.filter(({ accountId }) => accountId !== visitor.account.id);
  return platformPage(tools, visitor, {
    ...page,
    main: html`!${livePart(words, {
      start,
      section,
      about,
      editing: others.map(({ name }) => name),
    })}
    !${main} !${keysPart(visitor.language, words)}`,
    org: tools.desk.organization,
    tab: 'desk',
    deskSection: section,
  });
}

export const staleForm: ProblemDefinition = {
  code: 'stale_form',
  kind: 'conflict',
  title: 'Changed in the meantime',
  explanation:
    'Another editor or a rule changed the content after the form was opened. The page shows both versions.',
};
export const unsupportedText: ProblemDefinition = {
  code: 'unsupported_text',
  kind: 'invalid',
  title: 'Not supported by the source',
  explanation:
    'The source text does not support the text that you entered. Correct it, or publish it with evidence, which is also published.',
};

/** Why a decision was not taken. */
export class DeskRefusal extends ProblemError {
  readonly reason: string;
  readonly current: SubjectState | null;
  readonly findings: readonly string[];

  constructor(definition: ProblemDefinition, detail: string, refused: RefusedOutcome) {
    super(definition, detail);
    this.reason = refused.reason;
    this.current = refused.current ?? null;
    this.findings = refused.findings ?? [];
  }
}

interface RefusedOutcome {
  readonly reason: string;
  readonly current?: SubjectState | null;
  readonly findings?: readonly string[];
}

const definitions: Readonly<Record<string, ProblemDefinition>> = {
  stale_version: staleForm,
  unsupported_text: unsupportedText,
  unknown_item: notFound,
  unknown_story: notFound,
  unknown_entry: notFound,
  unknown_source: notFound,
};

/** A repeated request was successful before, and shows the same page. */
export function requireDone(words: DeskWords, outcome: DeskOutcome): void {
  if (outcome.ok || outcome.reason === 'repeated_request') return;
  const { reason } = outcome;
  throw new DeskRefusal(definitions[reason] ?? conflict, words.refusals[reason] ?? reason, outcome);
}

export const formProperties = {
  version: Type.Optional(Type.String({ maxLength: 64 })),
  request: Type.Optional(Type.String({ pattern: idForm.source })),
};

/** The hidden fields of every form: what it is based on, and its id. */
export function formState({ tools }: DeskVisit, version = ''): string {
  return hidden('request', tools.desk.ids.next()) + (version === '' ? '' : hidden('version', version));
}

/** The hash is over all fields but the id: the same request with other fields is refused. */
export function formOf(body: { readonly version?: string; readonly request?: string }) {
  const { request, ...fields } = body;
  return { version: body.version, requestId: request, requestHash: sha256(canonicalJson(fields)) };
}

/** Above a form that is shown again. */
export function refusalNotice(
  { visitor, words }: DeskVisit,
  refusal: ProblemError | null | undefined,
  typed: readonly string[] = [],
): string {
  if (refusal === null || refusal === undefined) return '';
  if (!(refusal instanceof DeskRefusal)) return problemNotice(refusal);
  const { current, findings } = refusal;
  const both =
    refusal.definition === staleForm && current !== null
      ? bothVersions(visitor.language, words, { now: linesOf(words, current), typed })
      : '';
  const list = findings.map((finding) => html`<li>${findingText(finding)}</li>`);
  return notice(
    'bad',
    html`${refusal.detail}
    !${
      list.length === 0
        ? ''
        : html`<ul>
            !${list}
          </ul>`
    }
    !${both}`,
  );
}

/** A form with fields of its own is not compared with the state that it changes. */
function bothVersions(
  language: Visitor['language'],
  words: DeskWords,
  { now, typed }: { readonly now: readonly string[]; readonly typed: readonly string[] },
): string {
  if (typed.length === now.length)
    return html`<p>${words.staleText}</p>
      !${difference(language, now, typed)}`;
  const list = (lines: readonly string[]): string =>
    html`<ul>
      !${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
  return html`<p>${say('The current version:')}</p>
    !${list(now)}
    !${
      typed.length === 0
        ? ''
        : html`<p>${say('Your version, not saved:')}</p>
            !${list(typed)}`
    }`;
}

export function linesOf(words: DeskWords, state: SubjectState): readonly string[] {
  if (state.kind === 'draft')
    return state.edits.map(({ op, language, words: said }) => {
      const name = words.journal.actions[`draft-${op}`] ?? op;
      return [language === undefined ? name : `${name} (${language})`, ...said].join(': ');
    });
  if (state.kind === 'source')
    return [
      state.title,
      sayKnown(state.state),
      `${say('Tier')} ${state.tier}`,
      ...(state.owner === undefined ? [] : [say('Owner: {name}', { name: state.owner })]),
      ...(typeof state.syndicate === 'string'
        ? [say('Syndication group: {name}', { name: state.syndicate })]
        : []),
    ];
  if (state.kind === 'entry') {
    const { title, hold, outcome, isPublished, reason } = state;
    const names = {
      held: say('held'),
      dropped: say('dropped'),
      declined: say('declined'),
      failed: say('failed'),
    };
    const name = hold ?? outcome;
    const now = isPublished ? say('published') : name === null ? say('waiting') : names[name];
    const said = [state.words?.title, state.words?.summary].flatMap((text) => text ?? []);
    return [title, `${now}${reason === null ? '' : `: ${reason}`}`, ...said];
  }
  if (state.kind === 'report') return [state.title];
  if (state.kind === 'item') return [state.title, state.summary, state.category];
  return [
    state.title,
    ...Object.values(state.digests ?? {}).flatMap((said) => (said ?? []).map(({ text }) => text)),
  ];
}

interface DeskForm<Body extends TObject> {
  readonly path: string;
  readonly operationId: string;
  readonly body: Body;
}

type Sent<Body extends TObject> = Parameters<
  Parameters<typeof defineMemberForm<typeof IdParams, undefined, Body>>[1]['show']
>[0]['body'];

/** A form about one item, entry, story or journal entry. A refused one is shown again. */
export function deskForm<Body extends TObject>(
  tools: DeskTools,
  form: DeskForm<Body>,
  run: (visit: DeskVisit, id: string, body: Sent<Body>) => Promise<Shown>,
  refused?: (visit: DeskVisit, id: string, body: Sent<Body>, problem: ProblemError) => Promise<PersonalPage>,
): RouteDeclaration {
  return defineMemberForm<typeof IdParams, undefined, Body>(tools, {
    ...form,
    params: IdParams,
    problems: [forbidden, notFound, conflict, staleForm, unsupportedText],
    show: async ({ visitor, params, body }) => run(await enterDesk(tools, visitor), params.id, body),
    ...(refused !== undefined && {
      refused: async ({ visitor, params, body }, problem) =>
        refused(await enterDesk(tools, visitor), params.id, body, problem),
    }),
  });
}
