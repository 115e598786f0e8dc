import { randomBytes } from 'node:crypto';

import type { AuditKind } from '../../audit/index.ts';
import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { conflict, invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import { parseEmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { SealDeps } from '../../foundation/sealed-value.ts';
import { openValue, sealValue } from '../../foundation/sealed-value.ts';
import type { Person } from '../accounts/account-store.ts';
import { findPasswordRecord, findPerson, holdPassword } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { releaseAttempt } from '../attempts/sign-in-attempt-store.ts';
import type { Client } from '../client.ts';
import { operatorClient } from '../client.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { wrongCredentials } from '../identity-problems.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { CheckPasswordDeps } from '../passwords/check-password.ts';
import { withCheckedPassword } from '../passwords/check-password.ts';
import type { VerifiedPassword } from '../sessions/verified-session-store.ts';
import { createRecoveryCodes, recoveryCodeHash } from './recovery-code.ts';
import {
  deleteSecondFactor,
  deleteSecondFactorSince,
  findSecondFactorStart,
  insertSecondFactor,
  replaceRecoveryCodes,
  updateCodeAtProvider,
} from './second-factor-store.ts';
import { base32, matchingStep, otpauthAddress, secretBytes } from './time-code.ts';
import type { OneTimeCodeDeps } from './use-one-time-code.ts';
import { passSecondFactor, sealPurpose, wrongCode } from './use-one-time-code.ts';

export const secondFactorTurnedOn = defineAuditKind(
  'second_factor_turned_on',
  'One-time codes were turned on for sign-in with the password.',
);
export const secondFactorTurnedOff = defineAuditKind(
  'second_factor_turned_off',
  'One-time codes were turned off for sign-in with the password.',
);
export const secondFactorTurnedOffByOperator = defineAuditKind(
  'second_factor_turned_off_by_operator',
  'An operator turned off one-time codes for sign-in with the password.',
);
export const recoveryCodesRenewed = defineAuditKind(
  'recovery_codes_renewed',
  'New recovery codes were generated.',
);

export const codeAtProviderTurnedOn = defineAuditKind(
  'code_at_provider_turned_on',
  'One-time codes were turned on for sign-in through a provider.',
);
export const codeAtProviderTurnedOff = defineAuditKind(
  'code_at_provider_turned_off',
  'One-time codes were turned off for sign-in through a provider.',
);

export type SecondFactorDeps = CheckPasswordDeps & OneTimeCodeDeps & RequestMailDeps;

/** A secret for an authenticator app, before it is stored. */
export interface SecondFactorSetUp {
  /** For a form, which returns it with the code that confirms it. */
  readonly sealed: string;
  readonly secret: string;
  readonly address: string;
}

const setUpMs = 30 * 60_000;
const purpose = 'set-up of a second factor';
const issuer = 'Daybook';

interface SetUpValue {
  readonly accountId: AccountId;
  readonly secretHex: string;
}

export function beginSecondFactor(
  deps: SealDeps,
  account: { readonly id: AccountId; readonly email: string },
): SecondFactorSetUp {
  const secret = randomBytes(secretBytes);
  const value: SetUpValue = { accountId: account.id, secretHex: secret.toString('hex') };
  return present(secret, account.email, sealValue(deps, purpose, value, setUpMs));
}

/** The same again for a resubmitted form; null if it was begun for another account or has expired. */
export function readSecondFactorSetUp(
  deps: SealDeps,
  account: { readonly id: AccountId; readonly email: string },
  sealed: string,
): SecondFactorSetUp | null {
  const secret = openSetUp(deps, account.id, sealed);
  return secret === null ? null : present(secret, account.email, sealed);
}

function openSetUp(deps: SealDeps, accountId: AccountId, sealed: string): Buffer | null {
  const value = openValue<SetUpValue>(deps, purpose, sealed);
  return value?.accountId === accountId ? Buffer.from(value.secretHex, 'hex') : null;
}

function present(secret: Buffer, email: string, sealed: string): SecondFactorSetUp {
  return { sealed, secret: base32(secret), address: otpauthAddress(secret, { email, issuer }) };
}

interface OwnerRequest {
  readonly accountId: AccountId;
  readonly password: string;
  readonly code: string;
  readonly client: Client;
}

/**
 * Requires the password, so that a stolen session cannot lock the owner out, and a code, so that a wrongly set up app
 * does not lock the owner out. Returns the recovery codes, which cannot be read afterwards.
 */
export async function turnOnSecondFactor(
  deps: SecondFactorDeps,
  { accountId, password, code, client, setUp }: OwnerRequest & { readonly setUp: string },
): Promise<readonly string[]> {
  const secret = openSetUp(deps, accountId, setUp);
  if (secret === null)
    throw new ProblemError(
      invalidRequest,
      'The setup has expired after 30 minutes. Start again with a new secret.',
    );
  const { email } = await requirePerson(deps, accountId);
  return withCheckedPassword(deps, { email, password, client, signedIn: accountId }, async (check) => {
    if (check.secondFactorSecret !== null) throw alreadyOn();
    const step = matchingStep(secret, code.replaceAll(/\s/g, ''), deps.clock.nowMs());
    if (step === null) throw wrongCode();
    const sealedSecret = deps.secretBox.seal(secret, sealPurpose(accountId));
    const codes = createRecoveryCodes();
    await change(deps, check.verified, { kind: secondFactorTurnedOn, client }, async (transaction) => {
      const factor = { accountId, sealedSecret, lastStep: step, createdAt: deps.clock.now() };
      if (!(await insertSecondFactor(transaction, factor))) throw alreadyOn();
      await replaceRecoveryCodes(transaction, accountId, hashesOf(codes));
    });
    return codes;
  });
}

export async function turnOffSecondFactor(deps: SecondFactorDeps, request: OwnerRequest): Promise<void> {
  await withBothFactors(deps, request, secondFactorTurnedOff, async (transaction) => {
    await deleteSecondFactor(transaction, request.accountId);
  });
}

/**
 * For owners who lost the app and the recovery codes: the operator has verified their identity. The password and
 * sessions stay. Returns whether it was on.
 */
export async function turnOffSecondFactorByOperator(
  deps: RequestMailDeps & Pick<SecondFactorDeps, 'database'>,
  writtenEmail: string,
): Promise<boolean> {
  const email = parseEmailAddress(writtenEmail);
  if (!email.ok) throw new ProblemError(invalidRequest, 'Not a valid e-mail address.');
  return deps.database.transaction().execute(async (transaction) => {
    const found = await findPasswordRecord(transaction, email.value.normalised);
    if (found === null) throw new ProblemError(notFound, 'No account with this e-mail address.');
    const { accountId } = found;
    if (!(await deleteSecondFactor(transaction, accountId))) return false;
    const kind = secondFactorTurnedOffByOperator;
    await auditAndNotify(transaction, deps, { kind, accountId, client: operatorClient });
    return true;
  });
}

/** Invalidates the previous codes. */
export async function renewRecoveryCodes(
  deps: SecondFactorDeps,
  request: OwnerRequest,
): Promise<readonly string[]> {
  const codes = createRecoveryCodes();
  await withBothFactors(deps, request, recoveryCodesRenewed, (transaction) =>
    replaceRecoveryCodes(transaction, request.accountId, hashesOf(codes)),
  );
  return codes;
}

/** A sign-in through a provider requires a code unless the owner turns that off. */
export async function setCodeAtProvider(
  deps: SecondFactorDeps,
  request: OwnerRequest & { readonly asks: boolean },
): Promise<void> {
  const kind = request.asks ? codeAtProviderTurnedOn : codeAtProviderTurnedOff;
  await withBothFactors(deps, request, kind, (transaction) =>
    updateCodeAtProvider(transaction, request.accountId, request.asks),
  );
}

async function withBothFactors(
  deps: SecondFactorDeps,
  { accountId, password, code, client }: OwnerRequest,
  kind: AuditKind,
  write: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const { email } = await requirePerson(deps, accountId);
  const origin = { client, signedIn: accountId };
  await withCheckedPassword(deps, { email, password, ...origin }, async (check) => {
    if (check.secondFactorSecret === null)
      throw new ProblemError(conflict, 'One-time codes are not turned on for this account.');
    const verified = await passSecondFactor(deps, check, { code, ...origin });
    await change(deps, verified, { kind, client }, write);
  });
}

type Transaction = Parameters<typeof requestMail>[0];

/** Writes, releases the attempt and notifies the owner; refused if a recovery changed the password since its check. */
async function change(
  deps: SecondFactorDeps,
  { accountId, passwordHash, attempt }: VerifiedPassword,
  { kind, client }: { readonly kind: AuditKind; readonly client: Client },
  write: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    if (!(await holdPassword(transaction, accountId, passwordHash))) throw wrongCredentials();
    await write(transaction);
    await releaseAttempt(transaction, attempt);
    await auditAndNotify(transaction, deps, { kind, accountId, client });
  });
}

async function auditAndNotify(
  transaction: Transaction,
  deps: RequestMailDeps,
  { kind, accountId, client }: Readonly<{ kind: AuditKind; accountId: AccountId; client: Client }>,
): Promise<void> {
  await recordAuditEvent(transaction, deps.ids, { kind, at: deps.clock.now(), accountId, client });
  const { email: recipient } = await requirePerson({ database: transaction }, accountId);
  await requestMail(transaction, deps, { kind: 'sign_in_changed', recipient, subjectId: accountId });
}

function hashesOf(codes: readonly string[]): readonly Buffer[] {
  return codes.map((code) => recoveryCodeHash(code)).filter((hash) => hash !== null);
}

async function requirePerson(
  { database }: Pick<SecondFactorDeps, 'database'>,
  id: AccountId,
): Promise<Person> {
  const person = await findPerson(database, id);
  if (person === null) throw new Error('a second factor for no account');
  return person;
}

function alreadyOn(): ProblemError {
  return new ProblemError(conflict, 'One-time codes are already turned on for this account.');
}

/** A factor older than the intrusion stays: otherwise access to the mailbox alone would open the account. */
export const secondFactor: CredentialKind = {
  name: 'second factor and recovery codes',
  columns: ['identity.second_factor.account_id', 'identity.recovery_code.account_id'],
  effects: {
    password_change: { stays: 'It does not depend on the password.' },
    password_reset: 'ends_recent',
    email_undo: 'ends_recent',
    end_all: { stays: 'Its owner has just confirmed with it.' },
    deletion: 'ends_recent',
    removal_from_organization: { stays: 'It guards the account, not an organization.' },
  },
  list: async (database, { accountId }) => {
    const createdAt = await findSecondFactorStart(database, accountId);
    if (createdAt === null) return [];
    return [{ id: accountId, name: 'One-time codes', createdAt, lastUsedAt: null, origin: null }];
  },
  endsOn: '/account/second-factor',
  end: (transaction, _deps, { accountId, suspectSince }) =>
    deleteSecondFactorSince(transaction, accountId, suspectSince),
};
