import { startListening } from '../../foundation/database/notification-listener.ts';
import { authorityChannel } from './authority-channel.ts';

/** Forgets what was worked out for an organization the moment another process changes something there. */
export function watchPermissions(options: {
  readonly listenUrl: string;
  readonly forget: (organizationId: string | null) => void;
}): { readonly stop: () => Promise<void> } {
  return startListening({
    url: options.listenUrl,
    channel: authorityChannel,
    retryAfterMs: 1_000,
    onNotice: options.forget,
  });
}
