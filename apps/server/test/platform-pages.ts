import type { TestAccess, TestOrganization } from './access.ts';
import { startTestAccess } from './access.ts';
import { signInForCookie } from './form-client.ts';

/** The platform with its pages, and an organization with a signed-in owner. */
export async function startTestPlatformPages(): Promise<{
  readonly stage: TestAccess;
  readonly acme: TestOrganization;
  readonly ownerCookie: string;
}> {
  const stage = await startTestAccess({ pages: true });
  const acme = await stage.createOrganization();
  return { stage, acme, ownerCookie: await signInForCookie(stage, acme.owner) };
}
