import { accountTexts } from './account-texts.ts';
import { deskLiveTexts } from './desk-live-texts.ts';
import { deskQueueTexts } from './desk-queue-texts.ts';
import { deskTexts } from './desk-texts.ts';
import { eventTexts } from './event-texts.ts';
import { organizationTexts } from './organization-texts.ts';
import { permissionTexts } from './permission-texts.ts';
import { problemTexts } from './problem-texts.ts';
import { signInTexts } from './sign-in-texts.ts';
import { storageTexts } from './storage-texts.ts';
import { watchTexts } from './watch-texts.ts';

/** The Chinese texts of the console by their English texts. */
export const chineseTexts = {
  ...accountTexts,
  ...deskLiveTexts,
  ...deskQueueTexts,
  ...deskTexts,
  ...eventTexts,
  ...organizationTexts,
  ...permissionTexts,
  ...problemTexts,
  ...signInTexts,
  ...storageTexts,
  ...watchTexts,
};
