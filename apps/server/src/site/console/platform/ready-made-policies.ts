import { html } from 'ghtml';

import { capabilities } from '../../../access/index.ts';
import { agentPresets } from '../../../agents/index.ts';
import { deskPresets } from '../../../newsroom/desk/index.ts';
import { hidden } from '../../shell/form-controls.ts';
import { say, sayKnown } from '../../shell/words/say.ts';
import { card } from '../components/parts.ts';
import { storagePresets } from '../storage/storage-capabilities.ts';
import { actionChoicesOf } from './area-fields.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { platformPath } from './platform-frame.ts';

const all = [...deskPresets, ...agentPresets, ...storagePresets, ...capabilities.corePresets];

/** Those of which the organization has all actions. */
export function offeredPresets(place: PlatformPlace): readonly capabilities.PermissionPreset[] {
  const offered = new Set(actionChoicesOf(place, 'policy').map(({ action }) => action));
  return all.filter(({ actions }) => actions.every((action) => offered.has(action)));
}

/** One form for each common job: it opens the editor of a new policy with the actions of the job. */
export function readyMadePolicies(place: PlatformPlace): string {
  return card({
    title: say('Start from a ready-made policy'),
    isPadded: true,
    content: html`<div class="stack">
      !${offeredPresets(place).map(({ label, actions }) => {
        const words = sayKnown(label);
        const [name = words] = words.split(/[:：]/u);
        return html`<form method="post" action="${platformPath(place.org, 'policies')}">
          !${hidden('preview', 'yes')} !${hidden('name', name)}
          !${actions.map((action) => hidden('can', action))}
          <button type="submit" class="quiet">${words}</button>
        </form>`;
      })}
    </div>`,
  });
}
