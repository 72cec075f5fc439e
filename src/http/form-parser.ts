import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/** Takes HTML forms as documents: URL-encoded ones whose fields are sent once. */
export function addFormParser(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async ({ routeOptions }: FastifyRequest, body: Buffer) => {
      if (routeOptions.config.body === 'bytes') return body
      const fields = [...new URLSearchParams(body.toString())]
      if (new Set(fields.map(([name]) => name)).size < fields.length) {
        throw new AppError('BODY_UNREADABLE', { detail: 'Send each field of the form once.' })
      }
      return Object.fromEntries(fields)
    },
  )
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async ({ routeOptions }: FastifyRequest, body: Buffer) => {
      if (routeOptions.config.body === 'bytes') return body
      throw new AppError('MEDIA_TYPE_UNSUPPORTED', {
        detail: 'Send the form as application/x-www-form-urlencoded, or its fields as application/json.',
      })
    },
  )
}
