import { expect, onTestFinished, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { startTestStorage } from '../../../../test/storage.ts';

test('with a separate origin, a preview ends with the session that it was shown in', async () => {
  const stage = await startTestStorage({ pages: true, files: { previewUrl: 'https://files.example' } });
  onTestFinished(stage.stop);
  const owner = await signInForCookie(stage, stage.acme.owner);
  const { id: project } = await stage.newProject();
  const gif = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
  const { id } = await stage.newFile(project, 'dot.gif', gif, 'mediaType=image/gif');
  await stage.inspectAll();
  const { text } = await openPage(stage, `/platform/${stage.acme.key}/files/${id}`, owner);
  const ticket = /<img src="https:\/\/files\.example(\/previews\/[\w-]+)"/.exec(text)?.[1] ?? '';
  const look = () => ask(stage.app.port, ticket, { headers: { host: 'files.example' } });
  expect((await look()).status).toBe(200);
  await sendForm(stage, '/auth/signout', {}, { cookie: owner });
  expect((await look()).status).toBe(404);
});
