import type { SourceDesk, SourceSettings } from '../../ingest/index.ts';
import { listFormOf } from './list-form.ts';
import { signInOf } from './source-sign-in.ts';
import type { SourcesInput } from './sources-input.ts';

/** The format of the list at an address, and the sign-in that its publisher requires, from the options. */
export async function givenList(
  desk: SourceDesk,
  values: SourcesInput['values'],
  address: URL,
): Promise<Pick<SourceSettings, 'form' | 'sealedAuthorization'>> {
  const signIn = await signInOf(values);
  return {
    form: listFormOf(values),
    sealedAuthorization: signIn === null ? null : desk.sealSignIn(address.href, signIn),
  };
}
