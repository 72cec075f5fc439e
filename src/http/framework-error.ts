import type { FastifyError, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/** The error of the catalogue for an own error or one of the framework; undefined for any other. */
export function frameworkErrorOf(
  error: Error,
  { routeOptions, server }: FastifyRequest,
): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as FastifyError
  // The client disconnected before it had sent the whole body.
  if (code === 'ECONNRESET' && statusCode === 400) return new AppError('BODY_UNREADABLE')
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('BODY_TOO_LARGE', {
        detail: tooLargeDetail(routeOptions.bodyLimit, server.bodyLimitBytes),
        headers: { connection: 'close' },
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new AppError('MEDIA_TYPE_UNSUPPORTED', { detail: 'Send the body as application/json.' })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('BODY_UNREADABLE', {
        detail: 'The length of the body differs from its Content-Length.',
      })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('NOT_FOUND')
    default:
      return undefined
  }
}

function tooLargeDetail(limit: number, setting: number): string {
  const most = `A body may have at most ${limit} bytes here.`
  return limit < setting
    ? most
    : `${most} Send less at a time, or ask the operator for a higher limit (body_limit).`
}
