import { SmsConnectionError } from './errors.ts';

/** How a list goes from a page to the next one. */
export interface Paging<Item, Page> {
  items: (page: Page) => readonly Item[];
  /** The query for the page after this one; undefined after the last page. */
  next: (query: object, page: Page) => object | undefined;
}

/**
 * The items of all pages, in order: `for await (const item of list)`. Pages are requested when they are needed, so a
 * loop that ends early requests no further ones.
 */
export class List<Item, Page> implements AsyncIterable<Item> {
  readonly #paging: Paging<Item, Page>;
  readonly #query: object;
  readonly #fetchPage: (query: object) => Promise<Page>;

  constructor(paging: Paging<Item, Page>, query: object, fetchPage: (query: object) => Promise<Page>) {
    this.#paging = paging;
    this.#query = query;
    this.#fetchPage = fetchPage;
  }

  /** Requests one page: the first, or the one that the query names. */
  page(): Promise<Page> {
    return this.#fetch(this.#query);
  }

  /** @throws SmsConnectionError if the answer is no page, because something other than the service gave it */
  async #fetch(query: object): Promise<Page> {
    const page: Page = await this.#fetchPage(query);
    if (typeof page === 'object' && page !== null && Array.isArray(this.#paging.items(page))) return page;
    throw new SmsConnectionError('The answer is no page of a list: baseUrl does not lead to the service.', {
      mayHaveArrived: true,
    });
  }

  /**
   * The pages, in order.
   *
   * @throws SmsConnectionError if a page names itself as the next one, which would have no end
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let query: object | undefined = this.#query;
    while (query !== undefined) {
      const page: Page = await this.#fetch(query);
      yield page;
      const next = this.#paging.next(query, page);
      if (next !== undefined && JSON.stringify(next) === JSON.stringify(query)) {
        throw new SmsConnectionError('The page of a list names itself as the next one.', {
          mayHaveArrived: true,
        });
      }
      query = next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#paging.items(page);
  }
}

/** Lists with `limit` and `cursor`. */
export function byCursor<
  Page extends { data: unknown[]; pagination: { nextCursor: string | null } },
>(): Paging<Page['data'][number], Page> {
  return {
    items: ({ data }) => data,
    next: (query, { pagination: { nextCursor } }) =>
      nextCursor === null ? undefined : { ...query, cursor: nextCursor },
  };
}

/** Lists with `page` and `pageSize`. */
export function byPage<
  Page extends { data: unknown[]; pagination: { page: number; totalPages: number } },
>(): Paging<Page['data'][number], Page> {
  return {
    items: ({ data }) => data,
    next: (query, { pagination: { page, totalPages } }) =>
      page < totalPages ? { ...query, page: page + 1 } : undefined,
  };
}

/** Lists with `limit` and `offset`. Their items are what `itemsOf` takes out of a page. */
export function byOffset<Page extends { total: number }, Item>(
  itemsOf: (page: Page) => Item[],
): Paging<Item, Page> {
  return {
    items: itemsOf,
    next: (query, page) => {
      const count = itemsOf(page).length;
      const end = ((query as { offset?: number }).offset ?? 0) + count;
      return count > 0 && end < page.total ? { ...query, offset: end } : undefined;
    },
  };
}
