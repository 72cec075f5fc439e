/** `/manage/entities/<name>/versions`: the history of a definition. */
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { diffVersions, findVersion, listVersions } from '../../entity/upload/entity-history.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Route } from '../../http/routes.ts'
import type { Store } from '../../store/store.ts'
import { parameterOf } from './record-request.ts'

const versionNumber = /^[1-9]\d{0,8}$/
export const diffQuery = strictObject({
  to: v.optional(
    v.pipe(v.string(), v.regex(versionNumber, 'This must be the number of a version.'), v.transform(Number)),
  ),
})
const noQuery = strictObject({})

export function entityVersionRoutes({ store }: { readonly store: Store }): readonly Route[] {
  return [
    {
      path: '/manage/entities/:name/versions',
      methods: {
        async GET(request) {
          parseDocument(noQuery, { ...(request.query as object) }, 'PARAMETER_INVALID')
          return listVersions(store, parameterOf(request, 'name'))
        },
      },
    },
    {
      path: '/manage/entities/:name/versions/:version',
      methods: {
        async GET(request) {
          parseDocument(noQuery, { ...(request.query as object) }, 'PARAMETER_INVALID')
          return findVersion(store, parameterOf(request, 'name'), numberIn(request))
        },
      },
    },
    {
      path: '/manage/entities/:name/versions/:version/diff',
      methods: {
        async GET(request) {
          const { to } = parseDocument(diffQuery, { ...(request.query as object) }, 'PARAMETER_INVALID')
          return diffVersions(store, parameterOf(request, 'name'), { number: numberIn(request), to })
        },
      },
    },
  ]
}

function numberIn(request: FastifyRequest): number {
  const text = parameterOf(request, 'version')
  if (versionNumber.test(text)) return Number(text)
  throw new AppError('RECORD_NOT_FOUND', {
    detail: `A version is a number from 1, and not ${JSON.stringify(text)}.`,
  })
}
