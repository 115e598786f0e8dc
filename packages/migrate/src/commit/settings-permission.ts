import { CommitRefusedError } from './safe-path.ts';

type PermissionList = 'allow' | 'ask' | 'deny';

interface Settings {
  permissions?: Partial<Record<PermissionList, unknown>>;
}

/** The settings with one permission more. Refuses a file it does not understand rather than rewriting it. */
export function addPermission(before: string | null, list: PermissionList, pattern: string): string {
  const settings = before === null ? {} : parseSettings(before);
  const current = entriesOf(settings, list);
  return withEntries(before, settings, list, current.includes(pattern) ? current : [...current, pattern]);
}

/** The settings without what `after` has and `before` has not; null where that cannot be found any more. */
export function removePermission(now: string, before: string | null, after: string): string | null {
  try {
    const [current, older, newer] = [now, before ?? '{}', after].map(parseSettings);
    if (current === undefined || older === undefined || newer === undefined) return null;
    for (const list of ['allow', 'ask', 'deny'] as const) {
      const added = entriesOf(newer, list).find((entry) => !entriesOf(older, list).includes(entry));
      if (added === undefined) continue;
      const entries = entriesOf(current, list);
      if (!entries.includes(added)) return null;
      return withEntries(
        now,
        current,
        list,
        entries.filter((entry) => entry !== added),
      );
    }
    return now;
  } catch (error) {
    if (error instanceof CommitRefusedError) return null;
    throw error;
  }
}

function entriesOf(settings: Settings, list: PermissionList): readonly unknown[] {
  const permissions = settings.permissions ?? {};
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions)) {
    throw new CommitRefusedError('permissions in the settings file is not an object');
  }
  const current = permissions[list] ?? [];
  if (!Array.isArray(current))
    throw new CommitRefusedError(`permissions.${list} in the settings file is not a list`);
  return current;
}

function withEntries(
  source: string | null,
  settings: Settings,
  list: PermissionList,
  entries: readonly unknown[],
): string {
  const indent = source === null ? 2 : (/^([ \t]+)"/m.exec(source)?.[1] ?? 2);
  const permissions = { ...settings.permissions, [list]: entries };
  return `${JSON.stringify({ ...settings, permissions }, null, indent)}\n`;
}

function parseSettings(source: string): Settings {
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below, with what the person can do about it.
  }
  throw new CommitRefusedError('the settings file is not a JSON object; correct it first');
}
