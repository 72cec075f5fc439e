import { expect, test } from 'vitest'
import { traceIdOf } from './trace-id.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

test.each([
  [`00-${trace}-00f067aa0ba902b7-01`, trace],
  [`01-${trace}-00f067aa0ba902b7-01-more`, trace],
  [`00-${trace}-00f067aa0ba902b7-01-more`, undefined],
  [`ff-${trace}-00f067aa0ba902b7-01`, undefined],
  [`00-${trace.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
  [`00-${trace}-00f067aa0ba902b7-01, 00-${trace}-00f067aa0ba902b7-01`, undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (traceparent, traceId) => {
  expect(traceIdOf(traceparent)).toBe(traceId)
})
