import { expect, test } from 'vitest'
import { resolveAs } from '../../test/support/resolve-as.ts'
import { parseTarget } from './target.ts'
import { createTargetGuard } from './target-guard.ts'

const refused = (url: string, allowed: readonly string[] = []) => {
  const target = parseTarget(url)
  return 'mistake' in target ? target.mistake : createTargetGuard(allowed).refuses(target.hostname)
}

test.each([
  'http://169.254.169.254/',
  'http://169.254.0.1:8080/latest',
  'https://169.254.169.254.',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0xa9.0xfe.0xa9.0xfe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[fe80::1]/',
  'http://[febf:ffff::1]/',
  'http://[fd00:ec2::254]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://metadata.google.internal/computeMetadata/v1',
  'http://METADATA.google.internal.:80/',
  'http://metadata/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
])('R13: %s is refused', (url) => {
  expect(refused(url)).toBe(true)
})

test.each([
  'http://127.0.0.1:3000',
  'http://10.0.0.5',
  'http://169.253.255.255',
  'http://[::1]',
  'http://[fec0::1]',
  'http://[fd00::1]',
  'http://orders.internal',
  'http://my-metadata',
])('R13: %s is not', (url) => {
  expect(refused(url)).toBe(false)
})

test.each([
  ['http://169.254.169.254', '169.254.169.254', false],
  ['http://169.254.169.254', '169.254.0.0/16', false],
  ['http://[::ffff:169.254.169.254]', '169.254.169.254', false],
  ['http://169.254.169.253', '169.254.169.254', true],
  ['http://metadata.google.internal', 'Metadata.Google.Internal.', false],
  ['http://[fe80::1]', 'fe80::/64', false],
])('R13: %s with %s allowed is refused: %s', (url, allowed, isRefused) => {
  expect(refused(url, [allowed])).toBe(isRefused)
})

test.each([
  ['169.254.169.254', [], undefined],
  ['169.254.169.254', ['Name.Example'], '169.254.169.254'],
  ['169.254.169.254', ['169.254.0.0/16'], '169.254.169.254'],
  ['127.0.0.1', [], '127.0.0.1'],
])(
  'R13: a name that stands for %s, with %j allowed, is resolved as %s',
  async (address, allowed, expected) => {
    resolveAs({ 'name.example': () => address })
    const { lookup } = createTargetGuard(allowed)
    const found = await new Promise((resolve) =>
      lookup('name.example', {}, (error, given) => resolve(error === null ? given : undefined)),
    )
    const all = await new Promise((resolve) =>
      lookup('name.example', { all: true }, (error, given) => resolve(error === null ? given : undefined)),
    )
    expect(found).toBe(expected)
    expect(all).toEqual(expected === undefined ? undefined : [{ address: expected, family: 4 }])
  },
)
