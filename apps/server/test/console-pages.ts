import type { Surface } from '../src/foundation/http/surface.ts';
import { accountPages, platformPages } from '../src/site/index.ts';
import type { TestAccess, TestOrganization } from './access.ts';
import { testStorage } from './identity.ts';

const anonymous: Surface = { name: 'anonymous', cors: null, admit: null, problems: [] };

/** The addresses of all console pages of an organization, with one resource of each kind in it. */
export async function consoleAddresses(
  stage: TestAccess,
  { key, owner }: TestOrganization,
): Promise<readonly string[]> {
  const make = async (path: string, json: object): Promise<string> => {
    const made = (await stage.send('POST', path, owner.headers, json)).json();
    return String(made['id'] ?? made['unique_id'] ?? made['name']);
  };
  const rbac = '/dm/api/core/rbac';
  const project = await make('/api/v1/projects', { name: 'p', organization: key });
  const folder = await make(`/api/v1/projects/${project}/folders`, { name: 'f' });
  const policy = await make(`${rbac}/policies/`, {
    platform_key: key,
    name: 'x',
    actions: ['Daybook.Agents/Agents/read'],
    resources: [`/organizations/${key}/agents`],
  });
  const group = await make(`${rbac}/groups/`, { platform_key: key, name: 'g' });
  const routes = [
    ...accountPages(stage.identity, anonymous),
    ...platformPages(stage.identity, stage.access, anonymous, {
      bucket: stage.bucket,
      settings: testStorage,
    }),
  ];
  const idIn = (path: string): string => {
    if (path.includes('/folders/')) return folder;
    return path.includes('/projects/') ? project : owner.id;
  };
  return routes
    .filter(({ method, path }) => method === 'GET' && path !== '/console/components')
    .flatMap(({ path }) => {
      const address = path
        .replace('{org}', key)
        .replace('{id}', idIn(path))
        .replace('{number}', path.includes('/policies/') ? policy : group)
        .replace('{username}', owner.username)
        .replace('{name}', 'none');
      return [address, `${address}?new=1`];
    });
}
