import { apiTokenFieldAction, apiTokenPrivilege } from '../core-permissions/api-token-privilege.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { Capability } from './capabilities.ts';

/** One action that a person can choose. */
export interface ActionChoice {
  readonly area: string;
  readonly action: string;
  /** Of the resources below the organization; empty for the organization itself. */
  readonly kind: string;
  /** Whether it includes the content of the resources of its kind. */
  readonly isDeep: boolean;
  /** Continues "can …". */
  readonly words: string;
}

/** The selected actions, and single resources as `<kind>/<id>`. Without a selected resource of a kind, all are meant. */
export interface PickedPermissions {
  readonly actions: readonly string[];
  readonly things: readonly string[];
}

/** Each action once; one that lists and opens resources has the words of both. */
export function actionChoices(capabilities: readonly Capability[]): readonly ActionChoice[] {
  const found = new Map<string, ActionChoice>();
  for (const { action, kind, inside, words } of capabilities) {
    // The fields of tokens are only useful all together.
    const text = action.text === apiTokenFieldAction('mode').text ? apiTokenPrivilege : action.text;
    const known = found.get(text);
    found.set(text, {
      area: action.segments[0] ?? '',
      action: text,
      kind: kind[0] ?? '',
      isDeep: inside !== undefined || known?.isDeep === true,
      words: known === undefined ? words : `${known.words}; ${words}`,
    });
  }
  return [...found.values()];
}

export function kindOfThing(thing: string): string {
  return thing.slice(0, thing.indexOf('/'));
}

/** On all resources of the kinds that the actions concern, or on the selected ones of a kind. */
export function policyOfPicked(
  { actions, things }: PickedPermissions,
  organization: string,
  choices: readonly ActionChoice[],
): WrittenPolicy {
  const chosen = choices.filter(({ action }) => actions.includes(action));
  const kinds = [...new Set(chosen.map(({ kind }) => kind))];
  const resources = kinds.flatMap((kind) => {
    const { text: all } = kind === '' ? resourceOf(organization) : resourceOf(organization, kind);
    if (kind === '') return [all];
    const single = things.filter((thing) => kindOfThing(thing) === kind);
    if (single.length === 0) return [all, `${all}/**`];
    const isDeep = chosen.some((choice) => choice.kind === kind && choice.isDeep);
    return single.flatMap((thing) => {
      const { text } = resourceOf(organization, kind, thing.slice(kind.length + 1));
      return isDeep ? [text, `${text}/**`] : [text];
    });
  });
  return { actions: chosen.map(({ action }) => action), resources: [...new Set(resources)] };
}

/** The selection that matches a policy; null if the policy contains something that cannot be selected. */
export function pickedOfPolicy(
  policy: WrittenPolicy,
  organization: string,
  choices: readonly ActionChoice[],
): PickedPermissions | null {
  const prefix = `${resourceOf(organization).text}/`;
  const things = policy.resources.flatMap((resource) => {
    const [kind = '', id = '', ...rest] = resource.startsWith(prefix)
      ? resource.slice(prefix.length).split('/')
      : [];
    return id === '' || rest.length > 0 || id.includes('*') ? [] : [`${kind}/${decodeURIComponent(id)}`];
  });
  const picked = { actions: [...new Set(policy.actions)], things: [...new Set(things)] };
  const again = policyOfPicked(picked, organization, choices);
  return isSameSet(again.actions, policy.actions) && isSameSet(again.resources, policy.resources)
    ? picked
    : null;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).symmetricDifference(new Set(other)).size === 0;
}
