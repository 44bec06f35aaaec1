/** The key of the board in this tab, also where the browser permits no storage. */
const name = 'waybill-board-key';
let own: string | undefined;

export function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? own;
  } catch {
    return own;
  }
}

/** @param key undefined removes it */
export function storeKey(key: string | undefined): void {
  own = key;
  try {
    if (key === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, key);
  } catch {
    // Then it lasts until the page is left.
  }
}

/** Milliseconds that other tabs have to send the key. */
const maxWait = 1_000;
const channel = new BroadcastChannel('waybill-board');

/** Sends the key to a new tab with a shipment that this one shows. */
export function shareKey(isShown: (shipmentId: string) => boolean): void {
  channel.addEventListener('message', ({ data }: MessageEvent<{ asked?: string }>) => {
    const key = storedKey();
    if (key && data.asked !== undefined && isShown(data.asked)) channel.postMessage({ key, shipmentId: data.asked });
  });
}

/** Asks the other tabs for the key: a link to a shipment that is opened in a new tab does not have it. */
export function askForKey(shipmentId: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, maxWait);
    channel.addEventListener('message', ({ data }: MessageEvent<{ key?: string; shipmentId?: string }>) => {
      if (data.key === undefined || data.shipmentId !== shipmentId) return;
      clearTimeout(timer);
      resolve(data.key);
    });
    channel.postMessage({ asked: shipmentId });
  });
}
