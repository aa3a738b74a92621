import { Client, Connection } from '@temporalio/client';

/**
 * A client that connects when it is first used: the API starts, and takes messages, while Temporal is down.
 */
export function createTemporalClient(options: { address: string; namespace: string }): Client {
  const connection = Connection.lazy({
    address: options.address,
    // No retries within a call: what fails here the sweep repeats, and nobody is held up meanwhile.
    interceptors: [],
    // gRPC's own backoff grows to two minutes; a service that is back is to be noticed within seconds.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2000,
    },
  });
  return new Client({ connection, namespace: options.namespace });
}
