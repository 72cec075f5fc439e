/** What a tester asks of the gateway: why an account may make a call, or may not. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, gateway } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'

export type AccessExplanation = components['schemas']['AccessExplanation']

/** An authority, with what it says of the call. */
export type ExplainedAuthority = NonNullable<AccessExplanation['roles']>[number]['authorities'][number]

/** The key under which all answers are kept; a changed role makes them old. */
export const explainKey = ['explain-access'] as const

/** A call of an account. */
export interface TestedCall {
  readonly account: string
  readonly method: string
  readonly path: string
  /** The identifier of a record; '' for none. Only paths of records have some. */
  readonly row: string
}

/** Whether a path is one of records: of a published API, or of an entity in GraphQL. */
export function isOfRecords(path: string): boolean {
  return /^\/(apis|graphql)\/[^/]/.test(path)
}

/** A call as the query that asks about it. */
export function queryOfCall({ account, method, path, row }: TestedCall) {
  return { account, method, path, ...(row === '' || !isOfRecords(path) ? {} : { row }) }
}

const noCall: TestedCall = { account: '', method: '', path: '', row: '' }

/** Asks about one call. */
export function explainQuery(call: TestedCall | undefined) {
  return queryOptions({
    queryKey: [...explainKey, call],
    queryFn: (): Promise<AccessExplanation> =>
      dataOf(
        gateway.GET('/manage/explain-access', {
          params: { query: queryOfCall(call ?? noCall) },
        }),
      ),
    enabled: call !== undefined,
  })
}
