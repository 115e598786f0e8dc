import { Type } from 'typebox';

import { idForm } from '../../../foundation/ids.ts';
import type { WatchDeps } from '../../../watch/index.ts';
import { watchMail } from '../../../watch/index.ts';
import type { PersonalTools } from '../console-route.ts';

export interface WatchTools extends PersonalTools {
  readonly watch: WatchDeps;
  /** Whether this installation sends mail. */
  readonly sendsMail: boolean;
}

export const watchPath = watchMail.watchPaths.manage;

export const searchPagePath = (id: string): string => `${watchPath}/${id}`;

export const SearchParams = Type.Object({ id: Type.String({ pattern: idForm.source }) });
