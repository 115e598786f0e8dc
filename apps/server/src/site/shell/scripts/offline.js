// For readers who chose it: the front page and the last editions, offline. The same pages for every reader.
const given = new URL(location.href).searchParams.get('prefix') ?? '';
const prefix = /^\/(?:en|zh)$/.test(given) ? given : '';
const refreshMs = 10 * 60_000;
const [pagesName, assetsName] = ['daybook-pages-', 'daybook-assets'];
const publicPage =
  /^(?:\/(?:en|zh))?(?:\/|\/(?:device|hot|timeline)|\/(?:daily|weekly|monthly|items|story)\/[^/]+)?$/;

const pageCaches = async () => (await caches.keys()).filter((name) => name.startsWith(pagesName)).toSorted();

async function pathsOf(kind, index, limit) {
  const response = await fetch(`/api/v1/${index}?limit=${limit}`, { cache: 'no-cache' });
  if (!response.ok) return [];
  const { reports } = await response.json();
  return reports.map(({ links }) => `${prefix}/${kind}/${links.report.split('/').at(-1)}`);
}

async function storePage(cache, assets, path, used) {
  const response = await fetch(path, { cache: 'no-cache' });
  if (!response.ok || response.redirected) return;
  await cache.put(path, response.clone());
  await storeAssets(assets, await response.text(), used);
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

async function refresh() {
  const [before, name] = [await pageCaches(), `${pagesName}${Date.now()}`];
  const [cache, assets, used] = [await caches.open(name), await caches.open(assetsName), new Set()];
  try {
    const editions = await Promise.all([
      pathsOf('daily', 'dailies', 3),
      pathsOf('weekly', 'weeklies', 1),
      pathsOf('monthly', 'monthlies', 1),
    ]);
    for (const path of [prefix === '' ? '/' : prefix, `${prefix}/device`, ...editions.flat()])
      await storePage(cache, assets, path, used);
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
  for (const old of before) await caches.delete(old);
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
    const newest = Number((await pageCaches()).at(-1)?.slice(pagesName.length) ?? 0);
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
