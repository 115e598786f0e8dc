// Uploads chosen or dropped files, four at once, and shows the progress of each. It uses tus 1.0: an
// interrupted upload resumes where it stopped, also after a reload, when the same file is chosen again.
const form = document.querySelector('form[data-upload]');
const { upload: address, project, folder } = form.dataset;
const list = form.querySelector('ul');
const input = form.querySelector('input');
form.hidden = false;

const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000];
const stalledMs = 60_000;
const atOnce = 4;

// The storage key of this folder's unfinished uploads: the file's mark and the upload's address.
const place = `daybook-upload ${project} ${folder} `;
const markOf = ({ size, lastModified, name }) => `${place}${size} ${lastModified} ${name}`;
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
  'upload failed. Sign in and choose the file again.';

const metadataOf = ({ name, type }) =>
  Object.entries({ projectId: project, folderId: folder, filename: name, filetype: type, ifTaken: 'version' })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${btoa(String.fromCodePoint(...new TextEncoder().encode(value)))}`)
    .join(',');

/** The unfinished upload of this file, or a new one. */
const find = async (file) => {
  const mark = markOf(file);
  const known = unfinished[mark];
  if (known !== undefined) {
    const answer = await ask('HEAD', known);
    if (answer.status === 200) return { url: known, offset: offsetOf(answer) };
    if (!isOver(answer)) return { answer };
    delete unfinished[mark];
  }
  const headers = { 'upload-length': file.size, 'upload-metadata': metadataOf(file) };
  const answer = await ask('POST', address, headers);
  if (answer.status !== 201) return { answer };
  const url = answer.getResponseHeader('location');
  unfinished[mark] = url;
  return { url, offset: 0 };
};

/** Returns null when all bytes have arrived, and otherwise the refusing response. */
const sendRest = async (file, onProgress) => {
  const { url, offset, answer } = await find(file);
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

const send = async (file) => {
  const line = list.appendChild(document.createElement('li'));
  const bar = document.createElement('progress');
  const note = document.createElement('span');
  bar.setAttribute('aria-label', file.name);
  bar.max = Math.max(1, file.size);
  bar.value = 0;
  line.append(`${file.name} `, bar, note);
  const say = (text) => line.replaceChildren(`${file.name}: ${text}`);
  let [tries, furthest] = [0, 0];
  const show = (bytes) => {
    bar.value = bytes;
    note.textContent = '';
    if (bytes > furthest) [tries, furthest] = [0, bytes];
  };
  for (; tries <= pausesMs.length; tries += 1) {
    const answer = await sendRest(file, show);
    if (answer === null) {
      delete unfinished[markOf(file)];
      say('uploaded.');
      return true;
    }
    if (!isPassing(answer)) {
      say(reasonOf(answer));
      return false;
    }
    note.textContent = ' Connection lost. Retrying.';
    await pause(pausesMs[tries]);
  }
  say('connection lost. Choose the file again to resume the upload.');
  return false;
};

const sendAll = async (files) => {
  input.disabled = true;
  const [waiting, stored] = [[...files], []];
  const sendNext = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      stored.push(await send(file));
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  input.disabled = false;
  input.value = '';
  if (stored.length > 0 && stored.every(Boolean)) location.reload();
};

/** Unfinished uploads of this browser, with their progress. */
const showUnfinished = async () => {
  for (const mark of Object.keys(unfinished).filter((one) => one.startsWith(place))) {
    const [size, , ...name] = mark.slice(place.length).split(' ');
    const answer = await ask('HEAD', unfinished[mark]);
    if (answer.status === 200 && offsetOf(answer) < Number(size)) {
      const percent = Math.floor((offsetOf(answer) / Number(size)) * 100);
      const line = list.appendChild(document.createElement('li'));
      line.textContent = `${name.join(' ')}: ${percent} % uploaded. Choose the file again to resume.`;
    } else if (answer.status === 200 || isOver(answer)) delete unfinished[mark];
  }
};

input.addEventListener('change', () => {
  void sendAll([...input.files]);
});
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  if (!input.disabled) void sendAll([...event.dataTransfer.files]);
});
void showUnfinished();
