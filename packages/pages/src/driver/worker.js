// The service worker of the driver page: the page opens without a network. `version` and `files` are defined before it.
const name = `waybill-driver-${version}`;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)));
});

self.addEventListener('activate', (event) => {
  const removeOld = async () => {
    for (const key of await caches.keys())
      if (key.startsWith('waybill-driver-') && key !== name) await caches.delete(key);
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

// Requests of the API go to the network, and are never stored.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || !files.includes(pathname)) return;
  event.respondWith(caches.match(pathname).then((stored) => stored ?? fetch(request)));
});
