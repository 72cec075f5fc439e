import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { parseTarget } from '../../proxy/target.ts'
import { coversPattern, coversTarget, targetsSchema } from './target-pattern.ts'

const leadsTo = (entry: string, target: string) => {
  const read = parseTarget(target)
  if ('mistake' in read) throw new Error(read.mistake)
  return coversTarget([entry], read)
}

describe('targets of a role', () => {
  test.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/v1', true],
    ['http://127.0.0.1:3000', 'http://2130706433:3000', true],
    ['http://127.0.0.1:3000', 'https://127.0.0.1:3000', false],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3001', false],
    ['http://127.0.0.1', 'http://127.0.0.1:80', true],
    ['https://Shop.internal', 'https://shop.INTERNAL:443', true],
    ['http://[::1]:9', 'http://[0:0::1]:9', true],
    ['https://shop.internal', 'https://shop.internal.evil.example', false],
    ['https://shop.internal', 'https://x.shop.internal', false],
    ['https://*.internal', 'https://shop.internal', true],
    ['https://*.internal', 'https://a.b.internal', true],
    ['https://*.internal', 'https://internal', false],
    ['https://*.internal', 'https://xinternal', false],
    ['https://*.internal', 'https://shop.internal:8443', false],
    ['https://*.internal:*', 'https://shop.internal:8443', true],
    ['http://10.0.0.5:*', 'http://10.0.0.5:81', true],
    ['http://10.0.0.5:*', 'https://10.0.0.5:81', false],
  ])('"%s" leads to "%s": %s', (entry, target, leads) => {
    expect(leadsTo(entry, target)).toBe(leads)
  })

  test.each([
    ['https://*.internal', 'https://shop.internal', true],
    ['https://*.internal', 'https://*.shop.internal', true],
    ['https://*.internal', 'https://*.internal', true],
    ['https://*.internal', 'https://*.internal:*', false],
    ['https://*.internal:*', 'https://*.a.internal:4', true],
    ['https://*.a.internal', 'https://*.internal', false],
    ['https://a.internal', 'https://*.a.internal', false],
    ['https://*.a.internal', 'https://a.internal', false],
    ['https://*.a.internal', 'https://*.ba.internal', false],
  ])('"%s" leads to all that "%s" leads to: %s', (entry, other, leads) => {
    expect(coversPattern([entry], other)).toBe(leads)
  })

  test.each([
    '*',
    'shop.internal',
    'ftp://shop.internal',
    'http://*',
    'http://*.',
    'http://*.0.0.1',
    'http://*.169',
    'http://a.*.b',
    'http://*a.b',
    'http://*.*.b',
    'http://a:1:*',
    'http://a:**',
    'http://u:p@a',
    'http://a?x',
    'http://[::1',
    'http://*.[::1]',
    'http://a:99999',
    '',
  ])('"%s" is none', (entry) => {
    expect(v.safeParse(targetsSchema, [entry]).success).toBe(false)
  })
})
