import { QueryClient } from '@tanstack/react-query';

/** Creates the store of everything that the API has answered. The client repeats requests itself, where that is safe. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 5_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
