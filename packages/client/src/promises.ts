import type { ApiResponse } from './calls.ts';

/** What a method returns: a promise of its result, from which the response can be had. */
export class ApiPromise<Data> extends Promise<Data> {
  /** `then` and the other methods return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #response: Promise<ApiResponse<Data>>;

  /** @param response what the call resolves with, before its data is taken out */
  constructor(response: Promise<ApiResponse<Data>>) {
    super((resolve, reject) => {
      response.then(({ data }) => resolve(data), reject);
    });
    this.#response = response;
  }

  /**
   * Resolves with the whole response: the data with the status, the headers and the request id.
   *
   * @example
   * const { data, requestId } = await client.listShipments().withResponse();
   * console.log(data.has_more, requestId);
   */
  withResponse(): Promise<ApiResponse<Data>> {
    this.catch(() => {}); // the caller handles the errors of the promise that it gets
    return this.#response.then((response) => response);
  }
}

/** What a method of a list returns: a promise of one page, and an iteration over the items of all pages. */
export class ListPromise<Page extends { data: unknown[] }, Item>
  extends ApiPromise<Page>
  implements AsyncIterable<Item>
{
  readonly #next: (page: Page) => ListPromise<Page, Item> | undefined;

  /** @param next requests the page after this one; undefined if it is the last one */
  constructor(response: Promise<ApiResponse<Page>>, next: (page: Page) => ListPromise<Page, Item> | undefined) {
    super(response);
    this.#next = next;
  }

  /** The items of this page and of those that follow, each of which is requested when its first item is needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let list: ListPromise<Page, Item> | undefined = this;
    while (list) {
      const page: Page = await list;
      yield* page.data as Item[];
      list = list.#next(page);
    }
  }

  /**
   * Collects the first items of all pages, at most `limit`.
   *
   * @example console.log((await client.listShipments().toArray({ limit: 500 })).length);
   */
  async toArray({ limit }: { limit: number }): Promise<Item[]> {
    if (!(Number.isInteger(limit) && limit > 0)) {
      this.catch(() => {}); // nobody waits for it
      throw new TypeError(`limit must be a positive integer, not ${limit}`);
    }
    const items: Item[] = [];
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}
