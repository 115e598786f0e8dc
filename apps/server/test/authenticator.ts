import { stepAt, timeCode } from '../src/identity/second-factor/time-code.ts';
import { openPage, sendForm } from './form-client.ts';
import type { TestAccount, TestIdentity } from './identity.ts';

/** An authenticator app: the code of a moment, some half minutes off. */
export type Authenticator = (nowMs: number, offset?: number) => string;

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** From the text that a person types into the app. */
export function createAuthenticator(secret: string): Authenticator {
  const bits = (secret.match(/\S/g) ?? [])
    .map((digit) => base32Digits.indexOf(digit).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return (nowMs, offset = 0) => timeCode(bytes, stepAt(nowMs) + offset);
}

export interface SetUpPage {
  readonly authenticator: Authenticator;
  /** The hidden field of the form. */
  readonly setUp: string;
}

export async function readSetUpPage(stage: Pick<TestIdentity, 'app'>, cookie: string): Promise<SetUpPage> {
  const { text } = await openPage(stage, '/account/second-factor', cookie);
  const [, secret = ''] = /class="typed">([A-Z2-7 ]+)</.exec(text) ?? [];
  const [, setUp = ''] = /name="setUp" value="([\w-]+)"/.exec(text) ?? [];
  return { authenticator: createAuthenticator(secret), setUp };
}

/** Sets it up on the page. This uses the current code. */
export async function turnOnSecondFactor(
  stage: Pick<TestIdentity, 'app' | 'clock'>,
  { password: currentPassword }: Pick<TestAccount, 'password'>,
  cookie: string,
): Promise<{ readonly authenticator: Authenticator; readonly recoveryCodes: readonly string[] }> {
  const { authenticator, setUp } = await readSetUpPage(stage, cookie);
  const fields = { setUp, currentPassword, one_time_code: authenticator(stage.clock.nowMs()) };
  const answer = await sendForm(stage, '/account/second-factor', fields, { cookie });
  if (answer.status !== 200) throw new Error(answer.text);
  return { authenticator, recoveryCodes: answer.text.match(/[a-z2-7]{4}(?:-[a-z2-7]{4}){3}/g) ?? [] };
}
