import { expect, test } from 'vitest'
import { sampleOf } from './samples.ts'

const change = {
  method: 'PATCH',
  path: '/apis/ports/p1?a=b&c=d',
  headers: [
    ['If-Match', '"1"'],
    ['Content-Type', 'application/merge-patch+json'],
  ],
  body: '{\n  "name": "it\'s",\n  "isActivated": true,\n  "tenantId": null\n}',
} as const
const list = { method: 'GET', path: '/apis/ports', headers: [] } as const
const gatewayUrl = 'https://gate.example.com'

test('a call with curl', () => {
  expect(
    sampleOf('curl', change, { gatewayUrl: undefined, needsToken: true }),
  ).toBe(`curl -X PATCH "$GATEHOUSE_URL"'/apis/ports/p1?a=b&c=d' \\
  -H "X-Xaas-Auth-Token: $TOKEN" \\
  -H 'If-Match: "1"' \\
  -H 'Content-Type: application/merge-patch+json' \\
  --data-raw '{"name":"it'\\''s","isActivated":true,"tenantId":null}'`)
  expect(sampleOf('curl', list, { gatewayUrl, needsToken: false })).toBe(
    'curl -X GET https://gate.example.com/apis/ports',
  )
})

test('a call in JavaScript', () => {
  expect(
    sampleOf('javascript', change, { gatewayUrl, needsToken: true }),
  ).toBe(`const token = '…' // from POST /logon
const response = await fetch('https://gate.example.com/apis/ports/p1?a=b&c=d', {
  method: 'PATCH',
  headers: { 'X-Xaas-Auth-Token': token, 'If-Match': '"1"', 'Content-Type': 'application/merge-patch+json' },
  body: JSON.stringify({
    "name": "it's",
    "isActivated": true,
    "tenantId": null
  }),
})
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`)
console.log(await response.text())`)
})

test('a call in Python', () => {
  expect(sampleOf('python', change, { gatewayUrl, needsToken: true })).toBe(`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "https://gate.example.com/apis/ports/p1?a=b&c=d",
    method="PATCH",
    headers={"X-Xaas-Auth-Token": os.environ["TOKEN"], "If-Match": "\\"1\\"", "Content-Type": "application/merge-patch+json"},
    data=json.dumps({"name": "it's", "isActivated": True, "tenantId": None}).encode(),
)
with urlopen(request) as response:
    print(response.status, response.read().decode())`)
})

test('a call with the client for browsers, which adds the token itself', () => {
  expect(
    sampleOf('browser', list, { gatewayUrl, needsToken: true }),
  ).toBe(`import { connect } from 'gatehouse/browser'

const client = connect()
const response = await client.fetch('/apis/ports', {
  method: 'GET',
})
console.log(await response.text())`)
})

test('what curl would read otherwise is sent as it is', () => {
  const options = { gatewayUrl, needsToken: false }
  const odd = {
    method: 'HEAD',
    path: '/shop?tags[]=a&{b}=%20',
    headers: [['X-Odd', "it's $(x) `y` !"]],
  } as const
  expect(sampleOf('curl', odd, options)).toBe(
    `curl --head -g 'https://gate.example.com/shop?tags[]=a&{b}=%20' \\
  -H 'X-Odd: it'\\''s $(x) \`y\` !'`,
  )
})

test.each(['{"a":12345678901234567890}', '{"a":1.50}', '{"__proto__":{"b":1}}', '{"a":1,"a":2}'])(
  'a body that the language would change is sent as text: %s',
  (body) => {
    const call = { method: 'POST', path: '/shop', headers: [], body } as const
    const options = { gatewayUrl, needsToken: false }
    expect(sampleOf('curl', call, options)).toContain(`--data-raw '${body}'`)
    expect(sampleOf('javascript', call, options)).toContain(`  body: '${body}',\n`)
    expect(sampleOf('python', call, options)).toContain(`    data=${JSON.stringify(body)}.encode(),\n`)
  },
)

test('a body that is no JSON is sent as it is', () => {
  const call = { method: 'POST', path: '/shop', headers: [], body: '@a\n"b" \\' } as const
  const options = { gatewayUrl, needsToken: false }
  expect(sampleOf('curl', call, options)).toContain(`--data-raw '@a\n"b" \\'`)
  expect(sampleOf('javascript', call, options)).toContain(`  body: '@a\\n"b" \\\\',\n`)
  expect(sampleOf('python', call, options)).toContain(`    data="@a\\n\\"b\\" \\\\".encode(),\n`)
})
