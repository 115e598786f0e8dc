/** The commands of `daybook admin`. */
export { createOwner, unlockAccount } from './registration/create-owner.ts';
export { turnOffSecondFactorByOperator } from './second-factor/set-up-second-factor.ts';
export { rotateSigningKeyNow } from './signing-keys/rotate-signing-key.ts';
