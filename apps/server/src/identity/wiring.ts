/** For wiring: the limits of account mail, for the metrics of its backlog. */
export { accountMailLimits } from './mail/mail-request-store.ts';
