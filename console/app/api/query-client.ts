import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { LoginNeeded } from '../../../browser/index.ts'
import { Refusal, TokenRefused } from '../../../browser/refusal.ts'

/** The key under which the session of this browser is kept. */
export const sessionKey = ['session']

/** Keeps what was read. If a call shows that the session has ended, the session is read again. */
export function createQueryClient(): QueryClient {
  const check = (error: unknown) => {
    if (error instanceof LoginNeeded || error instanceof TokenRefused) {
      void client.invalidateQueries({ queryKey: sessionKey })
    }
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: check }),
    mutationCache: new MutationCache({ onError: check }),
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 5_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
  return client
}

/** A server that says no says it again; one that is busy or restarting may not. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof Refusal && [0, 502, 503, 504].includes(error.status)
}
