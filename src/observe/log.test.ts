import { describe, expect, test } from 'vitest'
import type { Event } from './events.ts'
import { createLogObserver, type LogLevel } from './log.ts'

function linesOf(level: LogLevel, ...events: readonly Event[]): string[] {
  const lines: string[] = []
  const observe = createLogObserver({ level, destination: { write: (line) => lines.push(line) } })
  for (const event of events) observe(event)
  return lines
}

const handled = {
  kind: 'RequestHandled',
  requestId: 'r1',
  method: 'GET',
  path: '/',
  status: 200,
  milliseconds: 1.5,
} as const

describe('log', () => {
  test('writes an event as one JSON line with a UTC time', () => {
    const [line = ''] = linesOf('info', { ...handled, account: 'ada' })
    expect(line.endsWith('\n')).toBe(true)
    const { time, ...rest } = JSON.parse(line)
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(rest).toEqual({ level: 'info', account: 'ada', ...handled, text: 'Request handled.' })
  })

  test('leaves out what is less serious than the level', () => {
    const refused = { kind: 'LogonRefused', account: 'ada', address: '10.0.0.7', requestId: 'r2' } as const
    const levels = (level: LogLevel) => linesOf(level, handled, refused).map((line) => JSON.parse(line).kind)
    expect(levels('info')).toEqual(['RequestHandled', 'LogonRefused'])
    expect(levels('warn')).toEqual(['LogonRefused'])
    expect(levels('silent')).toEqual([])
  })

  test('keeps text with line ends on one line', () => {
    const lines = linesOf('info', { ...handled, account: 'ada\r\n{"level":"error"}' })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/)
  })

  test('tells the stack and causes of an error, and none of its other fields', () => {
    const error = new Error('no answer', {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    })
    Object.assign(error, { parameters: ['top-secret'] })
    const [line = ''] = linesOf('info', { kind: 'RequestFailed', requestId: 'r3', error })
    expect(JSON.parse(line).error).toMatchObject({
      type: 'Error',
      message: 'no answer',
      stack: expect.stringContaining('log.test.ts'),
      cause: { message: 'refused', code: 'ECONNREFUSED' },
    })
    expect(line).not.toContain('top-secret')
  })

  test('cuts the query from a path', () => {
    const [line = ''] = linesOf('info', { ...handled, path: '/apis/ports?name=ada' })
    expect(JSON.parse(line).path).toBe('/apis/ports')
  })

  test('writes statements only for debugging', () => {
    const run = { kind: 'StatementRun', sql: 'select ?', milliseconds: 1 } as const
    expect(linesOf('info', run)).toEqual([])
    expect(linesOf('debug', run)).toHaveLength(1)
  })
})
