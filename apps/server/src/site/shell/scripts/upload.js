// Uploads chosen or dropped files and folders, four files at once, and shows the progress of each. It uses tus 1.0: an
// interrupted upload resumes where it stopped, also after a reload, when the same file is chosen again.
const form = document.querySelector('form[data-upload]');
const { upload: address, project, folder, folders } = form.dataset;
const uploadWords = JSON.parse(form.dataset.words);
const fill = (text, values) => text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name]);
const list = form.querySelector('ul');
const inputs = [...form.querySelectorAll('input')];
form.hidden = false;

const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000];
const stalledMs = 60_000;
const atOnce = 4;

// The storage key of a folder's unfinished uploads: the file's mark and the upload's address.
const placeOf = (id) => `daybook-upload ${project} ${id} `;
const markOf = ({ file: { size, lastModified, name }, folderId }) =>
  `${placeOf(folderId)}${size} ${lastModified} ${name}`;
const unfinished = (() => {
  try {
    return localStorage;
  } catch {
    return {};
  }
})();

const ask = (method, url, headers = {}, body = null, onProgress = () => {}) =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    const sent = Object.entries({ 'tus-resumable': '1.0.0', ...headers });
    for (const [name, value] of sent) request.setRequestHeader(name, value);
    const stop = () => request.abort();
    let watch = setTimeout(stop, stalledMs);
    request.upload.addEventListener('progress', ({ loaded }) => {
      clearTimeout(watch);
      watch = setTimeout(stop, stalledMs);
      onProgress(loaded);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(watch);
      resolve(request);
    });
    request.send(body);
  });

/** No response, or one that asks to retry. */
const isPassing = ({ status }) => status === 0 || status >= 500 || [408, 423, 429].includes(status);
const isOver = ({ status }) => status === 404 || status === 410;
const offsetOf = (request) => Number(request.getResponseHeader('upload-offset'));
const reasonOf = ({ responseText }) =>
  new DOMParser().parseFromString(responseText, 'text/html').querySelector('.notice')?.textContent.trim() ??
  uploadWords.failed;

const metadataOf = ({ file: { name, type }, folderId }) =>
  Object.entries({ projectId: project, folderId, filename: name, filetype: type, ifTaken: 'version' })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${btoa(String.fromCodePoint(...new TextEncoder().encode(value)))}`)
    .join(',');

/** The unfinished upload of this file, or a new one. */
const find = async (upload) => {
  const mark = markOf(upload);
  const known = unfinished[mark];
  if (known !== undefined) {
    const answer = await ask('HEAD', known);
    if (answer.status === 200) return { url: known, offset: offsetOf(answer) };
    if (!isOver(answer)) return { answer };
    delete unfinished[mark];
  }
  const headers = { 'upload-length': upload.file.size, 'upload-metadata': metadataOf(upload) };
  const answer = await ask('POST', address, headers);
  if (answer.status !== 201) return { answer };
  const url = answer.getResponseHeader('location');
  unfinished[mark] = url;
  return { url, offset: 0 };
};

/** Returns null when all bytes have arrived, and otherwise the refusing response. */
const sendRest = async (upload, onProgress) => {
  const { file } = upload;
  const { url, offset, answer } = await find(upload);
  if (answer !== undefined) return answer;
  onProgress(offset);
  if (offset === file.size) return null;
  const headers = { 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' };
  const sent = await ask('PATCH', url, headers, file.slice(offset), (loaded) => onProgress(offset + loaded));
  return sent.status === 204 && offsetOf(sent) === file.size ? null : sent;
};

const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    addEventListener('online', resolve, { once: true });
  });

/** Returns whether it was stored; `isOne` of few, whose lines stay. */
const send = async (upload, isOne) => {
  const { file, path } = upload;
  const line = list.appendChild(document.createElement('li'));
  const bar = document.createElement('progress');
  const note = document.createElement('span');
  bar.setAttribute('aria-label', path);
  bar.max = Math.max(1, file.size);
  bar.value = 0;
  line.append(`${path} `, bar, note);
  let [tries, furthest] = [0, 0];
  const show = (bytes) => {
    bar.value = bytes;
    note.textContent = '';
    if (bytes > furthest) [tries, furthest] = [0, bytes];
  };
  for (; tries <= pausesMs.length; tries += 1) {
    const answer = await sendRest(upload, show);
    if (answer === null) {
      delete unfinished[markOf(upload)];
      if (isOne) line.replaceChildren(fill(uploadWords.uploaded, { name: path }));
      else line.remove();
      return true;
    }
    if (!isPassing(answer)) {
      line.replaceChildren(`${path}: ${reasonOf(answer)}`);
      return false;
    }
    note.textContent = ` ${uploadWords.retrying}`;
    await pause(pausesMs[tries]);
  }
  line.replaceChildren(fill(uploadWords.lost, { name: path }));
  return false;
};

const folderIds = new Map([['', folder]]);

/** The id of a folder below this one, which is created if it does not exist. Raises the reason of a refusal. */
const folderAt = async (path) => {
  const known = folderIds.get(path);
  if (known !== undefined) return known;
  const cut = path.lastIndexOf('/');
  const parent = await folderAt(path.slice(0, Math.max(0, cut)));
  const body = new URLSearchParams({ name: path.slice(cut + 1), ifTaken: 'open' });
  if (parent !== '') body.set('folderId', parent);
  const answer = await fetch(folders, { method: 'POST', body });
  const [, id] = /\/folders\/([0-9a-f-]{36})$/.exec(new URL(answer.url).pathname) ?? [];
  if (id === undefined) throw new Error(reasonOf({ responseText: await answer.text() }));
  folderIds.set(path, id);
  return id;
};

/** Files with their paths below this folder. */
const sendAll = async (chosen) => {
  for (const input of inputs) input.disabled = true;
  const [waiting, stored] = [[...chosen], []];
  const summary = form.querySelector('[role="status"] p');
  const count = () => {
    const done = stored.filter(Boolean).length;
    if (chosen.length > 1) summary.textContent = fill(uploadWords.counted, { done, all: chosen.length });
  };
  count();
  let created = Promise.resolve();
  const sendNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { file, path } = next;
      // One after another: two files of a new folder must not create it twice.
      const found = created.then(() => folderAt(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
      created = found.catch(() => {});
      try {
        stored.push(await send({ file, path, folderId: await found }, chosen.length <= atOnce));
      } catch ({ message }) {
        stored.push(false);
        list.appendChild(document.createElement('li')).textContent = `${path}: ${message}`;
      }
      count();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  for (const input of inputs) [input.disabled, input.value] = [false, ''];
  if (stored.length > 0 && stored.every(Boolean)) location.reload();
};

const withPath = (file) => ({ file, path: file.webkitRelativePath || file.name });

/** The files below a dropped file or folder. */
const filesOf = async (entry) => {
  const read = (method) => new Promise((resolve, reject) => method.call(entry, resolve, reject));
  if (entry.isFile) return [{ file: await read(entry.file), path: entry.fullPath.slice(1) }];
  const reader = entry.createReader();
  const below = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return below;
    for (const one of some) below.push(...(await filesOf(one)));
  }
};

const filesOfDrop = async ({ items, files }) => {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  // Files that a script dropped have no entries.
  if (entries.length === 0) return [...files].map(withPath);
  return (await Promise.all(entries.map(filesOf))).flat();
};

/** Unfinished uploads of this browser, with their progress. */
const showUnfinished = async () => {
  for (const mark of Object.keys(unfinished).filter((one) => one.startsWith(placeOf(folder)))) {
    const [size, , ...name] = mark.slice(placeOf(folder).length).split(' ');
    const answer = await ask('HEAD', unfinished[mark]);
    if (answer.status === 200 && offsetOf(answer) < Number(size)) {
      const percent = Math.floor((offsetOf(answer) / Number(size)) * 100);
      const line = list.appendChild(document.createElement('li'));
      line.textContent = fill(uploadWords.unfinished, { name: name.join(' '), percent });
    } else if (answer.status === 200 || isOver(answer)) delete unfinished[mark];
  }
};

for (const input of inputs)
  input.addEventListener('change', () => {
    void sendAll([...input.files].map(withPath));
  });
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  if (!inputs[0].disabled) void filesOfDrop(event.dataTransfer).then(sendAll);
});
void showUnfinished();
