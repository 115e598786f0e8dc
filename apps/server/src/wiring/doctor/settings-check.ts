import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/config.ts';
import type { Outcome } from './check.ts';
import { failed, passed, warning } from './check.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** Settings of other programs with our prefix, and those that only `daybook database logins` reads. */
const readElsewhere =
  /^DAYBOOK_(?:URL|KNOWLEDGE|EDGE_\w+)$|^DATABASE_(?:SUPERUSER_URL|LOGIN_PASSWORD|OWNER_PASSWORD|SUPERUSER_PASSWORD|NAME)$/;

export interface CheckedSettings {
  readonly outcome: Outcome;
  /** Null: the settings are invalid, and no other check can run. */
  readonly config: Config | null;
}

/** Values are never printed beyond what the configuration itself prints: some are secrets. */
export function checkSettings(values: Values): CheckedSettings {
  const asked = new Set<string>();
  const recorded = new Proxy(values, {
    get: (target, name) => {
      asked.add(String(name));
      return target[String(name)];
    },
  });
  let config: Config;
  try {
    config = readConfig(recorded);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return {
      outcome: failed(detail, 'Correct these settings: see docs/guides/configuration.md.'),
      config: null,
    };
  }
  const given = Object.keys(values).filter(
    (name) => /^(?:DAYBOOK|DATABASE)_/.test(name) && (values[name] ?? '').trim() !== '',
  );
  const unread = given.filter((name) => !asked.has(name) && !readElsewhere.test(name));
  const outcome =
    unread.length === 0
      ? passed(`${given.length} settings are set, and all are valid`)
      : warning(
          `unknown or unused: ${unread.sort().join(', ')}`,
          'Correct the spelling, or add the settings that it depends on: docs/guides/configuration.md lists all names.',
        );
  return { outcome, config };
}
