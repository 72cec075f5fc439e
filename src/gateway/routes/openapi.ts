/** `/openapi.json`: the published APIs that the caller may call; `/manage/openapi.json`: the gateway's own paths. */
import { Readable } from 'node:stream'
import type { Caller } from '../../access/caller.ts'
import type { Reach } from '../../http/reach.ts'
import type { Route } from '../../http/routes.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { openapiText } from '../../rest/openapi/openapi-document.ts'
import { managementDocument } from '../openapi/management-document.ts'

export interface OpenapiRouteParts {
  readonly published: () => ReadonlyMap<string, PublishedEntity>
  readonly reachOf: (caller: Caller | undefined) => Promise<Reach>
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
  readonly version: () => string
  /** The version of the program. */
  readonly programVersion: string
}

export function openapiRoutes({
  published,
  reachOf,
  baseUrl,
  version,
  programVersion,
}: OpenapiRouteParts): readonly Route[] {
  let management: string | undefined
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
    {
      path: '/manage/openapi.json',
      methods: {
        async GET(_request, reply) {
          management ??= JSON.stringify(managementDocument(baseUrl, programVersion))
          return reply.type('application/json; charset=utf-8').send(management)
        },
      },
    },
  ]
}
