/** `/openapi.json`: the published APIs that the caller may call. */
import { Readable } from 'node:stream'
import type { Caller } from '../../access/caller.ts'
import type { Reach } from '../../http/reach.ts'
import type { Route } from '../../http/routes.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { openapiText } from '../../rest/openapi/openapi-document.ts'

export interface OpenapiRouteParts {
  readonly published: () => ReadonlyMap<string, PublishedEntity>
  readonly reachOf: (caller: Caller | undefined) => Promise<Reach>
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
  readonly version: () => string
}

export function openapiRoutes({ published, reachOf, baseUrl, version }: OpenapiRouteParts): readonly Route[] {
  return [
    {
      path: '/openapi.json',
      methods: {
        async GET({ caller }, reply) {
          const reach = await reachOf(caller)
          const source = { published: published().values(), reach, baseUrl, version: version() }
          const text = Readable.from(openapiText(source), { objectMode: false })
          return reply.type('application/json; charset=utf-8').send(text)
        },
      },
    },
  ]
}
