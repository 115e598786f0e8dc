import { html } from 'ghtml';

import type { StorageRequest } from '../../../storage/index.ts';
import { contents, quotas } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import { progress } from '../components/parts.ts';
import type { StorageTools } from './storage-frame.ts';
import { readableSize } from './storage-frame.ts';

/** The storage of a project, of its quota if it has one. */
export async function projectMeter(
  { files }: StorageTools,
  asked: StorageRequest,
  projectId: string,
): Promise<string> {
  const { bytes, quotaBytes } = await quotas.readProjectUsage(files, { ...asked, projectId });
  if (quotaBytes !== null)
    return progress(
      'usage',
      say('{used} of {quota} used, including versions and trash', {
        used: readableSize(bytes),
        quota: readableSize(quotaBytes),
      }),
      { done: bytes, of: quotaBytes },
    );
  const text = say('{used} used, including versions and trash', { used: readableSize(bytes) });
  return html`<p class="hint">${text}</p>`;
}

/** The storage of an organization. */
export async function organizationMeter(
  { files }: StorageTools,
  where: StorageRequest & { readonly organizationKey: string },
): Promise<string> {
  const { usedBytes, reservedBytes, quotaBytes } = await contents.readOrganizationUsage(files, where);
  const taken = usedBytes + reservedBytes;
  return progress(
    'usage',
    say('{used} of {quota} used, including versions and trash', {
      used: readableSize(taken),
      quota: readableSize(quotaBytes),
    }),
    { done: taken, of: quotaBytes },
  );
}
