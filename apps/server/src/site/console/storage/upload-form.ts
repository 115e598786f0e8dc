import { html } from 'ghtml';

import { scripts } from '../../shell/assets.ts';
import { form, hidden } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { platformPath } from '../platform/platform-frame.ts';

/** Of the script. */
const uploadWords = (): Readonly<Record<string, string>> => {
  const [name, percent, done, all] = ['{name}', '{percent}', '{done}', '{all}'];
  return {
    uploaded: say('{name}: uploaded.', { name }),
    counted: say('{done} of {all} files uploaded.', { done, all }),
    retrying: say('Connection lost. Retrying.'),
    lost: say('{name}: connection lost. Choose the file again to resume the upload.', { name }),
    failed: say('Upload failed. Sign in and choose the file again.'),
    unfinished: say('{name}: {percent} % uploaded. Choose the file again to resume.', { name, percent }),
  };
};

/** Sent by script, which shows the progress; without it a form takes one small file. */
export function uploadForm(
  org: string,
  { projectId, folderId }: { readonly projectId: string; readonly folderId: string | null },
): string {
  return html`<h2>${say('Add files')}</h2>
    <form
      class="upload"
      data-upload="${platformPath(org, 'tus')}"
      data-project="${projectId}"
      data-folder="${folderId ?? ''}"
      data-folders="${platformPath(org, 'projects', projectId, 'folders')}"
      data-words="${JSON.stringify(uploadWords())}"
      hidden
    >
      <p class="hint" id="files-hint">
        ${say(
          'Choose files or a folder, or drag them onto this page. Uploading a file with an existing name adds a new version. To resume an interrupted upload, choose the same file again.',
        )}
      </p>
      <div class="field">
        <label for="files">${say('Files')}</label>
        <input type="file" id="files" multiple aria-describedby="files-hint" />
      </div>
      <div class="field">
        <label for="folder">${say('Folder with its contents')}</label>
        <input type="file" id="folder" webkitdirectory aria-describedby="files-hint" />
      </div>
      <div role="status">
        <p></p>
        <ul></ul>
      </div>
    </form>
    <noscript>
      !${form({
        action: platformPath(org, 'projects', projectId, 'upload'),
        submit: say('Upload'),
        fields:
          (folderId === null ? '' : hidden('folderId', folderId)) +
          html`<div class="field">
            <label for="file">${say('File')}</label>
            <p class="hint" id="file-hint">
              !${sayHtml(
                'Without JavaScript, the limit is 1 MB. You can upload larger files through the {link}.',
                {
                  link: html`<a href="/docs/guides/storage-api">${say('storage API')}</a>`,
                },
              )}
            </p>
            <input type="file" id="file" name="file" required aria-describedby="file-hint" />
          </div>`,
        multipart: true,
      })}
    </noscript>
    <script src="${scripts.upload.path}" defer></script>`;
}
