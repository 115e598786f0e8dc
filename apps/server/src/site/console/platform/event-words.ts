/** `member_role_changed` as “Member role changed”. */
export function eventWords(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
