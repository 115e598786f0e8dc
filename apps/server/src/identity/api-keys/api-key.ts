import type { Id } from '../../foundation/ids.ts';

export type ApiKeyId = Id<'api key'>;
