import type { Transport } from './transport.ts';

/** What every resource has: the way to the service. It is private, so that a logged client shows no key. */
export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected get transport(): Transport {
    return this.#transport;
  }
}
