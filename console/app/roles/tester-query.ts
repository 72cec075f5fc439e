/** What a tester asks of the gateway: why an account may make a call, or may not. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, gateway } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'

export type AccessExplanation = components['schemas']['AccessExplanation']

/** The key under which all answers are kept; a changed role makes them old. */
export const explainKey = ['explain-access'] as const

/** A call of an account. */
export interface TestedCall {
  readonly account: string
  readonly method: string
  readonly path: string
}

/** Asks about one call. */
export function explainQuery(call: TestedCall | undefined) {
  return queryOptions({
    queryKey: [...explainKey, call],
    queryFn: (): Promise<AccessExplanation> =>
      dataOf(
        gateway.GET('/manage/explain-access', {
          params: { query: call ?? { account: '', method: '', path: '' } },
        }),
      ),
    enabled: call !== undefined,
  })
}
