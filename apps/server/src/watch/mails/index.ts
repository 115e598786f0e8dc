export { watchPaths } from './compose-watch-mail.ts';
export { isWatchMailWanted, unsubscribeFromWatchMail } from './send-watch-mail.ts';
