export interface HeapItem {
  /** Its index in the heap, which sets it; -1 outside. */
  place: number;
}

/** Items of which the first is known. An item is put in, moved or removed in logarithmic time. */
interface Heap<Item> {
  first(): Item | undefined;
  /** Adds an item, or moves it after its order has changed. */
  put(item: Item): void;
  /** Removes an item, if it is there. */
  remove(item: Item): void;
}

/** Makes an empty heap: a binary tree in an array, in which no item is before its parent. */
export function heapOf<Item extends HeapItem>(isBefore: (a: Item, b: Item) => boolean): Heap<Item> {
  const items: Item[] = [];

  const set = (item: Item, place: number): void => {
    items[place] = item;
    item.place = place;
  };

  const moveUp = (item: Item): void => {
    for (let { place } = item; place > 0; ) {
      place = (place - 1) >> 1;
      const parent = items[place];
      if (!parent || !isBefore(item, parent)) return;
      set(parent, item.place);
      set(item, place);
    }
  };

  const moveDown = (item: Item): void => {
    for (;;) {
      const { place } = item;
      const [left, right] = [items[2 * place + 1], items[2 * place + 2]];
      const child = left && right && isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, item)) return;
      set(item, child.place);
      set(child, place);
    }
  };

  const put = (item: Item): void => {
    if (item.place < 0) set(item, items.length);
    moveUp(item);
    moveDown(item);
  };

  return {
    first: () => items[0],
    put,
    remove(item) {
      const { place } = item;
      if (place < 0) return;
      const last = items.pop();
      item.place = -1;
      if (!last || last === item) return;
      set(last, place);
      put(last);
    },
  };
}
