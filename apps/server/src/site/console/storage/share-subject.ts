import { changes } from '../../../access/index.ts';
import type { shares } from '../../../access/index.ts';
import type { FieldError } from '../../../foundation/problem.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import type { sharing } from '../../../storage/index.ts';
import { say, sayList } from '../../shell/words/say.ts';
import type { PlatformPlace } from '../platform/platform-frame.ts';
import { groupSource, memberSource } from '../platform/relation-fields.ts';

/** A subject as written in a form: the name of a group too, unless a member has it as username. */
export async function subjectOf(
  { tools, visitor, org }: PlatformPlace,
  written: string,
): Promise<sharing.WantedSubject> {
  const subject = formalSubjectOf(written);
  if (subject.member === undefined || subject.member === '') return subject;
  const text = subject.member;
  const people = await (await memberSource(tools, visitor, org)).find(text);
  if (people.some(({ value }) => value === text)) return subject;
  const groups = await (await groupSource(tools, visitor, org)).find(text);
  const named = groups.filter(
    ({ value, label }) => label.toLowerCase() === `${value}: ${text}`.toLowerCase(),
  );
  const [group] = named;
  return group === undefined || named.length > 1 ? subject : { group: Number(group.value) };
}

/** An e-mail address, `group:` with its number, or a username. */
function formalSubjectOf(written: string): sharing.WantedSubject {
  const text = written.trim();
  const [, group] = /^group:([1-9][0-9]{0,8})$/.exec(text) ?? [];
  if (group !== undefined) return { group: Number(group) };
  return text.includes('@') ? { email: text } : { member: text };
}

export function writtenSubject(subject: shares.ShareSubject): string {
  if (subject.kind === 'group') return `group:${subject.id}`;
  return subject.kind === 'invited' ? subject.email : subject.username;
}

/** Members and groups whose name contains the text, if the visitor may see them; the newest without a text. */
export async function suggestedSubjects(
  { tools, visitor, org }: PlatformPlace,
  written: string,
): Promise<readonly { readonly value: string; readonly label: string }[]> {
  const query = written.trim() === '' ? undefined : written.trim();
  const people = await (await memberSource(tools, visitor, org)).find(query);
  const groups = await (await groupSource(tools, visitor, org)).find(query);
  return [
    ...people,
    ...groups.map(({ value, label }) => ({
      value: `group:${value}`,
      label: `group:${label}`,
    })),
  ];
}

/** The problem in terms of the form and its one field. */
export async function problemOfForm(
  place: PlatformPlace,
  problem: ProblemError,
  written: string,
): Promise<ProblemError> {
  if (problem.definition === changes.permissionEscalation)
    return new ProblemError(
      changes.permissionEscalation,
      say(
        'You cannot grant more access than you have. Choose a lower level, or ask a manager of this resource to share it.',
      ),
    );
  const [fault] = problem.errors ?? [];
  if (fault === undefined || !['member', 'group', 'email'].includes(fault.name)) return problem;
  const message = await faultMessage(place, fault, written.trim());
  return new ProblemError(problem.definition, `“${written.trim()}” ${message}`, {
    errors: [{ in: 'body', name: 'who', message }],
  });
}

async function faultMessage(place: PlatformPlace, fault: FieldError, written: string): Promise<string> {
  if (written === '') return say('is required');
  if (fault.name !== 'member') return fault.message;
  const near = await suggestedSubjects(place, written);
  if (near.length === 0) return say('is not the username of a member');
  return say('is not the username of a member. Did you mean {names}', {
    names: sayList(near.map(({ label }) => label)),
  });
}
