// What a reader marks on this device: pages read, items saved, sources hidden. Nothing of it is sent.
const readMax = 5_000;
const visitMs = 30 * 60_000;
const checkMs = 10 * 60_000;
const correctionPagesMax = 50;
/** Of caches between this device and the server, with room. */
const lateMs = 60 * 60_000;

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const opening = indexedDB.open('daybook', 1);
opening.onupgradeneeded = () => {
  for (const name of ['read', 'saved', 'hidden', 'state']) opening.result.createObjectStore(name);
};
const database = settled(opening);
const store = async (name, mode = 'readonly') => (await database).transaction(name, mode).objectStore(name);
const keysOf = async (name) => settled((await store(name)).getAllKeys());
const get = async (name, key) => settled((await store(name)).get(key));
const put = async (name, key, value) => settled((await store(name, 'readwrite')).put(value, key));
const remove = async (name, key) => settled((await store(name, 'readwrite')).delete(key));

const onClick = (button, act) => button.addEventListener('click', () => void act());

/** Without the prefix of a language: a page is the same in each. */
const withoutLanguage = (path) => path.replace(/^\/(?:en|zh)(?=\/|$)/, '') || '/';
const here = withoutLanguage(location.pathname);
const fill = (text, count) => text.replace('{count}', String(count));

async function markRead() {
  if (/^\/(?:items|story)\/[^/]+$/.test(here)) {
    await put('read', here, Date.now());
    const all = await store('read', 'readwrite');
    const [paths, times] = await Promise.all([settled(all.getAllKeys()), settled(all.getAll())]);
    if (paths.length > readMax) {
      const oldest = paths.map((path, at) => [times[at], path]).sort((a, b) => a[0] - b[0]);
      for (const [, path] of oldest.slice(0, paths.length - readMax)) await remove('read', path);
    }
  }
  const read = new Set(await keysOf('read'));
  for (const entry of document.querySelectorAll('[data-entry]')) {
    const link = entry.querySelector('a[href]');
    if (link !== null && read.has(withoutLanguage(new URL(link.href).pathname))) entry.classList.add('read');
  }
}

async function hideSources() {
  const hidden = new Set(await keysOf('hidden'));
  const entries = [...document.querySelectorAll('[data-source]')];
  const found = entries.filter((entry) => hidden.has(entry.dataset.source));
  for (const entry of found) entry.hidden = true;
  const note = document.querySelector('[data-hidden-note]');
  if (note === null || found.length === 0) return;
  note.querySelector('span').textContent = fill(note.dataset.hiddenNote, found.length);
  note.hidden = false;
}

/** A later page of the same half hour belongs to the same visit. */
async function countNew() {
  const place = document.querySelector('[data-since]');
  if (place === null) return;
  const keys = [...document.querySelectorAll('[data-entry][data-key]:not([hidden])')].map(
    (entry) => entry.dataset.key,
  );
  if (keys.length === 0) return;
  const newest = keys.reduce((one, other) => (one > other ? one : other));
  const last = await get('state', 'visit');
  const isSame = last !== undefined && Date.now() - last.at < visitMs;
  const since = isSame ? last.since : last?.newest;
  await put('state', 'visit', { at: Date.now(), since, newest });
  const count = since === undefined ? 0 : keys.filter((key) => key > since).length;
  if (count === 0) return;
  place.textContent = fill(count === 1 ? place.dataset.sinceOne : place.dataset.since, count);
  place.hidden = false;
}

/** Shows a button as pressed or not, each with its own label. */
const labelled = (button) => {
  const [off, on] = [button.textContent, button.dataset.on];
  return (isOn) => {
    button.textContent = isOn ? on : off;
    button.setAttribute('aria-pressed', String(isOn));
  };
};

/** A button that puts a key into a store, and takes it out again. */
async function toggle(button, name, key, value) {
  const show = labelled(button);
  let isOn = (await get(name, key)) !== undefined;
  show(isOn);
  onClick(button, async () => {
    if (isOn) await remove(name, key);
    else await put(name, key, value());
    show((isOn = !isOn));
  });
}

async function offerMarks() {
  const place = document.querySelector('[data-device]');
  if (place === null) return;
  const save = place.querySelector('[data-save]');
  const hide = place.querySelector('[data-hide]');
  await toggle(save, 'saved', here, () => ({
    title: save.dataset.save,
    path: location.pathname,
    at: Date.now(),
  }));
  await toggle(hide, 'hidden', hide.dataset.hide, () => Date.now());
  place.hidden = false;
}

/** Saved titles and read marks of withdrawn items are deleted. The request is the same for everyone. */
async function forgetWithdrawn() {
  const saved = await settled((await store('saved')).getAll());
  if (saved.length === 0) return;
  const checked = (await get('state', 'checked')) ?? Math.min(...saved.map(({ at }) => at));
  const now = Date.now();
  if (now - checked < checkMs) return;
  let cursor = null;
  for (let page = 0; page < correctionPagesMax; page += 1) {
    const address = `/api/v1/corrections?limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await fetch(address, { cache: 'no-cache' });
    if (!response.ok) return;
    const body = await response.json();
    for (const { action, subject } of body.corrections) {
      if (action !== 'withdrawn' || subject.kind !== 'item') continue;
      for (const name of ['saved', 'read']) await remove(name, `/items/${subject.id}`);
    }
    cursor = body.page.nextCursor;
    const oldest = body.corrections.at(-1);
    if (cursor === null || oldest === undefined || Date.parse(oldest.at) < checked - lateMs) break;
  }
  await put('state', 'checked', now);
}

async function showList(name, render) {
  const list = document.querySelector(`[data-list=${name}]`);
  const all = await store(name);
  const [keys, values] = await Promise.all([settled(all.getAllKeys()), settled(all.getAll())]);
  list.replaceChildren(
    ...keys.map((key, at) => {
      const entry = document.createElement('li');
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', textContent: list.dataset.remove });
      onClick(button, async () => {
        await remove(name, key);
        await showList(name, render);
      });
      entry.append(render(key, values[at]), ' ', button);
      return entry;
    }),
  );
  list.nextElementSibling.hidden = keys.length > 0;
}

async function offerOffline(button) {
  if (!('serviceWorker' in navigator)) return;
  const show = labelled(button);
  const current = () => navigator.serviceWorker.getRegistration('/');
  show((await current()) !== undefined);
  button.disabled = false;
  onClick(button, async () => {
    button.disabled = true;
    const registration = await current();
    if (registration === undefined) {
      await navigator.serviceWorker.register(button.dataset.offline, { scope: '/' });
      await navigator.serviceWorker.ready;
    } else await stopOffline(registration);
    show(registration === undefined);
    button.disabled = false;
  });
}

async function stopOffline(registration) {
  await registration?.unregister();
  // Without HTTPS a browser has neither workers nor caches.
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) if (name.startsWith('daybook-')) await caches.delete(name);
}

async function showDevice() {
  const page = document.querySelector('[data-device-page]');
  if (page === null) return;
  const lists = async () => {
    await showList('saved', (_key, { title, path }) =>
      Object.assign(document.createElement('a'), { href: path, textContent: title }),
    );
    await showList('hidden', (name) => name);
    const count = page.querySelector('[data-read-count]');
    count.textContent = fill(count.dataset.readCount, (await keysOf('read')).length);
  };
  await lists();
  page.hidden = false;
  await offerOffline(page.querySelector('[data-offline]'));
  onClick(page.querySelector('[data-forget]'), async () => {
    for (const name of ['read', 'saved', 'hidden', 'state'])
      await settled((await store(name, 'readwrite')).clear());
    await stopOffline(await navigator.serviceWorker?.getRegistration('/'));
    location.reload();
  });
}

/** What is stored for reading offline is read again, so that nothing withdrawn stays in it. */
const refreshOffline = (isAtOnce) =>
  navigator.serviceWorker?.getRegistration('/').then((one) => one?.active?.postMessage({ isAtOnce }));
addEventListener('online', () => void refreshOffline(true));

// In a window without storage, as some private windows are, the pages stay as they are.
(async () => {
  await forgetWithdrawn().catch(() => {});
  await markRead();
  await hideSources();
  await countNew();
  await offerMarks();
  await showDevice();
  if (navigator.onLine) await refreshOffline(false);
})().catch(() => {});
