const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/

/**
 * The trace id of a request, from its header `traceparent`; undefined if there is none, or it does not follow
 * https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function traceIdOf(traceparent: string | readonly string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId = '', parentId = '', more] = form.exec(traceparent) ?? []
  if (version === undefined || version === 'ff') return undefined
  // Only later versions may have more parts than this one.
  if (version === '00' && more !== undefined) return undefined
  return /^0+$/.test(traceId) || /^0+$/.test(parentId) ? undefined : traceId
}
