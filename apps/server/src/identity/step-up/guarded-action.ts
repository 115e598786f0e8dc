import { mailWordsOf } from '../../foundation/mail/words/mail-words.ts';

/** Actions that a session alone must not perform, because it may be stolen; as text that completes “to …”. */
export const guardedActions = mailWordsOf('en').actions;

export type GuardedAction = keyof typeof guardedActions;

export const guardedActionNames = Object.keys(guardedActions) as readonly GuardedAction[];
