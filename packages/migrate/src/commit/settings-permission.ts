import { CommitRefusedError } from './safe-path.ts';

type PermissionList = 'allow' | 'ask' | 'deny';

interface Settings {
  permissions?: Partial<Record<PermissionList, unknown>>;
}

/** The settings with one permission more. Refuses a file it does not understand rather than rewriting it. */
export function addPermission(before: string | null, list: PermissionList, pattern: string): string {
  const settings = before === null ? {} : parseSettings(before);
  const permissions = settings.permissions ?? {};
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions)) {
    throw new CommitRefusedError('permissions in the settings file is no object');
  }
  const current = permissions[list] ?? [];
  if (!Array.isArray(current))
    throw new CommitRefusedError(`permissions.${list} in the settings file is no list`);
  const entries: readonly unknown[] = current.includes(pattern) ? current : [...current, pattern];
  const indent = before === null ? 2 : (/^([ \t]+)"/m.exec(before)?.[1] ?? 2);
  return `${JSON.stringify({ ...settings, permissions: { ...permissions, [list]: entries } }, null, indent)}\n`;
}

function parseSettings(source: string): Settings {
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below, with what the person can do about it.
  }
  throw new CommitRefusedError('the settings file is no JSON object; correct it first');
}
