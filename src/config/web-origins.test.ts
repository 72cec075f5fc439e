import { expect, test } from 'vitest'
import { webOrigins } from './web-origins.ts'

const read = (raw: string) => webOrigins.readParts?.(raw, () => '')

test('takes exact origins, each once', () => {
  expect(
    read('https://app.example.org, http://localhost:5173,capacitor://localhost,http://localhost:5173'),
  ).toEqual({ value: ['https://app.example.org', 'http://localhost:5173', 'capacitor://localhost'] })
})

test('takes a list of a file, which arrives as JSON text', () => {
  expect(read('["http://localhost:5173","https://a.example"]')).toEqual({
    value: ['http://localhost:5173', 'https://a.example'],
  })
  expect(read('[]')).toHaveProperty('mistakes')
})

test.each([
  ['*', ': takes exact origins without patterns, not "*"; list each one, such as https://app.example.org'],
  [
    'https://*.example.org',
    ': takes exact origins without patterns, not "https://*.example.org"; list each one, such as https://app.example.org',
  ],
  ['null', ': takes no “null”, which is the origin of any page in a sandbox and of any local file'],
  ['https://app.example.org/', ': takes "https://app.example.org" in place of "https://app.example.org/"'],
  [
    'https://App.example.org:443',
    ': takes "https://app.example.org" in place of "https://App.example.org:443"',
  ],
  [
    'app.example.org',
    ': takes origins separated by commas, such as https://app.example.org or http://localhost:5173, not "app.example.org"',
  ],
  [
    '',
    ': takes origins separated by commas, such as https://app.example.org or http://localhost:5173, not ""',
  ],
])('refuses %j', (raw, mistake) => {
  expect(read(raw)).toEqual({ mistakes: [mistake] })
  expect(webOrigins.parse(raw)).toBe(undefined)
})
