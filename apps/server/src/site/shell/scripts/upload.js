// Sends the files that are chosen, or dropped on the page, one after the other, and shows how far each is.
const form = document.querySelector('form[data-upload]');
const list = form.querySelector('ul');
const input = form.querySelector('input');
form.hidden = false;

const send = (file) =>
  new Promise((resolve) => {
    const line = list.appendChild(document.createElement('li'));
    const bar = document.createElement('progress');
    const say = (text) => line.replaceChildren(`${file.name}: ${text}`);
    bar.setAttribute('aria-label', file.name);
    bar.max = Math.max(1, file.size);
    bar.value = 0;
    line.append(`${file.name} `, bar);
    const url = new URL(form.dataset.upload, location.href);
    url.searchParams.set('name', file.name);
    const [mediaType] = file.type.split(';');
    if (mediaType !== '') url.searchParams.set('mediaType', mediaType);
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded }) => (bar.value = loaded));
    request.addEventListener('load', () => {
      const stored = request.status === 204;
      const answer = new DOMParser().parseFromString(request.responseText, 'text/html');
      say(stored ? 'stored.' : (answer.querySelector('.notice')?.textContent.trim() ?? 'not stored.'));
      resolve(stored);
    });
    request.addEventListener('error', () => {
      say('the connection broke. Choose it again.');
      resolve(false);
    });
    request.send(file);
  });

const sendAll = async (files) => {
  input.disabled = true;
  const stored = [];
  for (const file of files) stored.push(await send(file));
  input.disabled = false;
  input.value = '';
  if (stored.length > 0 && stored.every(Boolean)) location.reload();
};

input.addEventListener('change', () => {
  void sendAll([...input.files]);
});
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  if (!input.disabled) void sendAll([...event.dataTransfer.files]);
});
