import { sayKnown } from '../../shell/words/say.ts';

/** `member_role_changed` as “Member role changed”. */
export function eventWords(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return sayKnown(words.charAt(0).toUpperCase() + words.slice(1));
}
