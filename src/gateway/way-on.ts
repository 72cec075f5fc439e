import { tryAgainOr, type WayOn } from '../http/error-response.ts'

/**
 * From the page of an error people get to the page of the published APIs. If a proxy has put the gateway below a prefix,
 * that page may be elsewhere, and the way leads to the start page of the proxy.
 */
export function gatewayWayOn(settings: { readonly baseUrl?: string; readonly docsFolder?: string }): WayOn {
  const { baseUrl, docsFolder } = settings
  const prefix = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')
  const docs = docsFolder === undefined ? undefined : { label: 'See the APIs', url: `${prefix}/docs` }
  const directly = tryAgainOr(docs)
  const behindProxy = tryAgainOr({ label: 'Back to the start page', url: '/' })
  return (error, request) => {
    const isBehindProxy = request.headers['x-forwarded-prefix'] !== undefined
    return (isBehindProxy ? behindProxy : directly)(error, request)
  }
}
