// For readers who chose it: the front page and the last editions, offline. The same pages for every reader.
const given = new URL(location.href).searchParams.get('prefix') ?? '';
const prefix = /^\/(?:en|zh)$/.test(given) ? given : '';
const refreshMs = 10 * 60_000;
const [pagesName, assetsName] = ['daybook-pages-', 'daybook-assets'];
const publicPage =
  /^(?:\/(?:en|zh))?(?:\/|\/(?:device|hot|timeline)|\/(?:daily|weekly|monthly|items|story)\/[^/]+)?$/;

const correctionPagesMax = 50;
/** Stored with the pages: they are as of its newest entry. No clock is compared, as that of a device may be wrong. */
const correctionsPath = '/api/v1/corrections?limit=100';

const pageCaches = async () => (await caches.keys()).filter((name) => name.startsWith(pagesName)).toSorted();

/** Throws where the server cannot be reached or is unavailable. */
async function read(path) {
  const response = await fetch(path, { cache: 'no-cache' });
  if (!response.ok && response.status !== 404 && response.status !== 410) throw new Error(path);
  return response;
}

/** Whether anything was withdrawn since the pages were stored. The request says nothing about them. */
async function hasWithdrawals(first) {
  const known = await stored(correctionsPath);
  if (known === undefined) return true;
  const [last] = (await known.json()).corrections;
  let body = await first.json();
  for (let page = 0; page < correctionPagesMax; page += 1) {
    for (const { id, action } of body.corrections) {
      if (id === last?.id) return false;
      if (action === 'withdrawn') return true;
    }
    const { nextCursor } = body.page;
    if (nextCursor === null) return false;
    body = await (await read(`${correctionsPath}&cursor=${encodeURIComponent(nextCursor)}`)).json();
  }
  return true;
}

async function pathsOf(kind, index, limit) {
  const { reports = [] } = await (await read(`/api/v1/${index}?limit=${limit}`)).json();
  return reports.map(({ links }) => `${prefix}/${kind}/${links.report.split('/').at(-1)}`);
}

/** The pages to store; where a list is unavailable, those that are stored. */
async function pathsToStore() {
  const [front, device] = [prefix === '' ? '/' : prefix, `${prefix}/device`];
  const editions = [
    pathsOf('daily', 'dailies', 3),
    pathsOf('weekly', 'weeklies', 1),
    pathsOf('monthly', 'monthlies', 1),
  ];
  try {
    return [front, device, ...(await Promise.all(editions)).flat()];
  } catch {
    const cached = (await pageCaches()).map(async (name) => (await caches.open(name)).keys());
    const paths = (await Promise.all(cached)).flat().map(({ url }) => new URL(url).pathname);
    return [...new Set([front, device, ...paths.filter((path) => publicPage.test(path))])];
  }
}

/** Style sheets name fonts in turn. */
async function storeAssets(assets, text, used) {
  for (const [path] of text.matchAll(/\/assets\/[\w.-]+/g)) {
    if (used.has(path)) continue;
    used.add(path);
    if ((await assets.match(path)) === undefined) await assets.add(path);
    if (path.endsWith('.css')) await storeAssets(assets, await (await assets.match(path)).text(), used);
  }
}

/** A page that cannot be read again stays as it was, unless something was withdrawn since. */
async function refresh() {
  const before = await pageCaches();
  const corrections = await read(correctionsPath);
  const isOutdated = await hasWithdrawals(corrections.clone());
  const name = `${pagesName}${Date.now()}`;
  const [cache, assets, used] = [await caches.open(name), await caches.open(assetsName), new Set()];
  try {
    await cache.put(correctionsPath, corrections);
    for (const path of await pathsToStore()) {
      const response = await read(path).catch(() => (isOutdated ? undefined : stored(path)));
      if (response === undefined && before.length === 0) throw new Error(path);
      if (response?.ok !== true || response.redirected) continue;
      await cache.put(path, response.clone());
      await storeAssets(assets, await response.text(), used);
    }
  } catch (error) {
    await caches.delete(name);
    if (isOutdated) for (const old of before) await caches.delete(old);
    throw error;
  }
  for (const old of before) if (old !== name) await caches.delete(old);
  for (const request of await assets.keys())
    if (!used.has(new URL(request.url).pathname)) await assets.delete(request);
}

let refreshing;
const refreshOnce = () => (refreshing ??= refresh().finally(() => (refreshing = undefined)));

async function stored(path) {
  for (const name of await pageCaches()) {
    const found = await (await caches.open(name)).match(path);
    if (found !== undefined) return found;
  }
  return undefined;
}

self.addEventListener('install', (event) => event.waitUntil(refreshOnce()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  const due = async () => {
    const newest = Number((await pageCaches())[0]?.slice(pagesName.length) ?? 0);
    if (event.data?.isAtOnce === true || Date.now() - newest > refreshMs) await refreshOnce();
  };
  event.waitUntil(due().catch(() => {}));
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/'))
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
  else if (request.mode === 'navigate' && publicPage.test(pathname))
    event.respondWith(
      fetch(request).catch(
        async () => (await stored(pathname)) ?? (await stored(`${prefix}/device`)) ?? Response.error(),
      ),
    );
});
