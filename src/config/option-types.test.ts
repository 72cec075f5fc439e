import { describe, expect, test } from 'vitest'
import {
  anyText,
  bytes,
  duration,
  httpAddress,
  networkList,
  type OptionType,
  oneOf,
  path,
  port,
  redisAddress,
  text,
  wholeNumber,
  yesOrNo,
} from './option-types.ts'

const cases: readonly {
  readonly name: string
  readonly type: OptionType<unknown>
  readonly takes: Readonly<Record<string, unknown>>
  readonly refuses: readonly string[]
}[] = [
  { name: 'text', type: text, takes: { ' a b ': ' a b ' }, refuses: [''] },
  { name: 'any text', type: anyText, takes: { '': '', ' a ': ' a ' }, refuses: [] },
  { name: 'path', type: path, takes: { './data': './data', ':memory:': ':memory:' }, refuses: ['', 'a\0b'] },
  {
    name: 'port',
    type: port,
    takes: { 0: 0, 9000: 9000, 65535: 65535 },
    refuses: ['65536', '-1', '9e3', '9000.5', ' 9000', ''],
  },
  { name: 'wholeNumber', type: wholeNumber(1, 16), takes: { 1: 1, 16: 16 }, refuses: ['0', '17', 'four'] },
  { name: 'oneOf', type: oneOf('warn', 'info'), takes: { warn: 'warn' }, refuses: ['WARN', ''] },
  { name: 'yesOrNo', type: yesOrNo, takes: { true: true, false: false }, refuses: ['yes', '1'] },
  {
    name: 'duration',
    type: duration('1s', '1d'),
    takes: { '1s': 1000, '15m': 900_000, '8h': 28_800_000, '1d': 86_400_000 },
    refuses: ['0s', '25h', '30', '1.5h', '8 h', '8w', 'h'],
  },
  {
    name: 'bytes',
    type: bytes('1kb', '1gb'),
    takes: { '1024b': 1024, '10mb': 10_485_760, '1GB': 1_073_741_824 },
    refuses: ['1b', '2gb', '10', '10 mb', 'mb'],
  },
  {
    name: 'httpAddress',
    type: httpAddress,
    takes: { 'https://api.example.org/': 'https://api.example.org', 'http://a:81/b': 'http://a:81/b' },
    refuses: ['api.example.org', 'ftp://a', 'https://u:p@a', 'https://a?b', 'https://a/#'],
  },
  {
    name: 'redisAddress',
    type: redisAddress,
    takes: { 'redis://127.0.0.1:6379': 'redis://127.0.0.1:6379', 'rediss://u:p@r': 'rediss://u:p@r' },
    refuses: ['127.0.0.1:6379', 'http://a', 'redis:', 'redis'],
  },
  {
    name: 'networkList',
    type: networkList,
    takes: { '10.0.0.0/8, ::1': ['10.0.0.0/8', '::1'], '192.0.2.7': ['192.0.2.7'], 'fd00::/8': ['fd00::/8'] },
    refuses: ['', '10.0.0.0/33', '10.0.0.0/8,', 'lb.example.org', '10.0.0.0/08', '10.0.0.0/8/8', '*'],
  },
]

for (const { name, type, takes, refuses } of cases) {
  describe(name, () => {
    test.each(Object.entries(takes))('takes %j', (raw, value) => expect(type.parse(raw)).toEqual(value))
    test.each(refuses)('refuses %j', (raw) => expect(type.parse(raw)).toBeUndefined())
  })
}

test('a choice is told as a sentence would', () => {
  expect(oneOf('error', 'warn', 'info').takes).toBe('error, warn or info')
})
