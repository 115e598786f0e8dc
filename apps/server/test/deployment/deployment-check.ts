import type { DeploymentFiles, ServerFacts } from './compose-check.ts';
import { checkCompose } from './compose-check.ts';
import type { Repository } from './dockerfile-check.ts';
import { checkDockerfile } from './dockerfile-check.ts';

/** All mismatches; an unreadable file counts as one. */
export function checkDeployment(
  files: DeploymentFiles,
  facts: ServerFacts,
  repository: Repository,
): readonly string[] {
  try {
    return [
      ...checkDockerfile(files.dockerfile, repository),
      ...checkCompose(files, facts, repository.isFile),
      ...checkNginxTemplate(files.nginxTemplate, facts),
    ];
  } catch (error) {
    return [String(error)];
  }
}

/** The mismatches between lines of the template, or with the drain of a process. */
function checkNginxTemplate(
  template: string,
  { drainNoticeMs }: { readonly drainNoticeMs: number },
): readonly string[] {
  const lines = template.split('\n').map((line) => line.trim());
  const directives = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const value = (pattern: RegExp): string => {
    const found = directives.flatMap((line) => pattern.exec(line)?.slice(1) ?? []);
    return new Set(found).size === 1 ? (found[0] ?? '') : '';
  };
  const servers = directives.filter((line) => line.startsWith('server $'));
  const rules: Readonly<Record<string, boolean>> = {
    'the upstream it sends to': value(/^upstream (\S+) \{$/) === value(/^proxy_pass http:\/\/(\S+);$/),
    'the cache it keeps copies in':
      directives.includes(`1 ${value(/keys_zone=(\w+):/)};`) &&
      directives.includes('proxy_cache $daybook_cache;'),
    'its two servers':
      servers.join() ===
      'server ${DAYBOOK_EDGE_API_1} max_fails=0;,server ${DAYBOOK_EDGE_API_2} max_fails=0;',
    'where it listens': value(/^listen (.*);$/) === '${DAYBOOK_EDGE_LISTEN}',
    'its own files': ['pid', 'client_body_temp_path', 'proxy_temp_path', 'proxy_cache_path'].every((name) =>
      directives.some((line) => line.startsWith(`${name} \${DAYBOOK_EDGE_FOLDER}/`)),
    ),
    'how long it holds a copy': [
      'proxy_ignore_headers Cache-Control Expires Vary;',
      'proxy_cache_revalidate on;',
      'proxy_cache_use_stale off;',
    ].every((line) => directives.includes(line)),
    'what it keeps from strangers': ['/metrics', '/readyz'].every((path) =>
      directives.includes(`location = ${path} {`),
    ),
    'how long it keeps idle connections': isShorter(value(/^keepalive_timeout (\d+)s;$/), drainNoticeMs),
    'what it sends to the other process': directives.includes('proxy_next_upstream error timeout;'),
    'what it lets flow': ['proxy_request_buffering off;', 'proxy_buffering off;'].every((line) =>
      directives.includes(line),
    ),
    'who it says the client is': directives.includes(
      'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    ),
    'whom it says was asked for': directives.includes('proxy_set_header Host $http_host;'),
  };
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([rule]) => `nginx.conf.template: ${rule}`);
}

const isShorter = (seconds: string, thanMs: number): boolean =>
  seconds !== '' && Number(seconds) * 1_000 < thanMs;
