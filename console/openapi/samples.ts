/** A call in the languages of those who write clients. */
import type { ApiCall } from './api-call.ts'
import { compactJson } from './json-text.ts'

/** The languages of samples, in the order in which they are offered. */
export const sampleKinds = ['curl', 'javascript', 'python', 'browser'] as const
export type SampleKind = (typeof sampleKinds)[number]

interface SampleOptions {
  /** The address of the gateway; undefined if the page does not know it. */
  readonly gatewayUrl: string | undefined
  readonly needsToken: boolean
}

const unknownUrl = 'https://gateway.example.com'
const tokenHeader = 'X-Xaas-Auth-Token'

/** The call in a language. The token is in a variable. */
export function sampleOf(kind: SampleKind, call: ApiCall, options: SampleOptions): string {
  return makers[kind](call, options)
}

type Maker = (call: ApiCall, options: SampleOptions) => string

const curl: Maker = ({ method, path, headers, body }, { gatewayUrl, needsToken }) =>
  [
    // With -X HEAD, curl waits for a body; without -g, brackets and braces stand for several addresses.
    `curl ${method === 'HEAD' ? '--head' : `-X ${method}`} ${/[[\]{}]/.test(path) ? '-g ' : ''}${gatewayUrl === undefined ? '"$GATEHOUSE_URL"' : ''}${word((gatewayUrl ?? '') + path)}`,
    ...(needsToken ? [`-H "${tokenHeader}: $TOKEN"`] : []),
    ...headers.map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${word(compactJson(body) ?? body)}`]),
  ].join(' \\\n  ')

const javascript: Maker = ({ method, path, headers, body }, { gatewayUrl = unknownUrl, needsToken }) => {
  const lines = headers.map(([name, value]) => `${scriptText(name)}: ${scriptText(value)}`)
  const all = needsToken ? [`'${tokenHeader}': token`, ...lines] : lines
  return `${needsToken ? "const token = '…' // from POST /logon\n" : ''}const response = await fetch(${scriptText(gatewayUrl + path)}, {
  method: '${method}',
${all.length === 0 ? '' : `  headers: { ${all.join(', ')} },\n`}${scriptBody(body)}})
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`)
console.log(await response.text())`
}

const browser: Maker = ({ method, path, headers, body }) => {
  const lines = headers.map(([name, value]) => `${scriptText(name)}: ${scriptText(value)}`)
  return `import { connect } from 'gatehouse/browser'

const client = connect()
const response = await client.fetch(${scriptText(path)}, {
  method: '${method}',
${lines.length === 0 ? '' : `  headers: { ${lines.join(', ')} },\n`}${scriptBody(body)}})
console.log(await response.text())`
}

const python: Maker = ({ method, path, headers, body }, { gatewayUrl = unknownUrl, needsToken }) => {
  const lines = headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  const all = needsToken ? [`"${tokenHeader}": os.environ["TOKEN"]`, ...lines] : lines
  const value = body === undefined ? undefined : jsonIn(body)
  return `${value === undefined ? '' : 'import json\n'}${needsToken ? 'import os\n' : ''}from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(gatewayUrl + path)},
    method="${method}",
${all.length === 0 ? '' : `    headers={${all.join(', ')}},\n`}${pythonBody(body, value)})
with urlopen(request) as response:
    print(response.status, response.read().decode())`
}

const makers: Readonly<Record<SampleKind, Maker>> = { curl, javascript, python, browser }

/** The value of a JSON text that is the same again as text; undefined if it is none, or would lose digits or members. */
function jsonIn(text: string): { readonly value: unknown } | undefined {
  if (text.includes('__proto__')) return undefined
  try {
    const value = JSON.parse(text) as unknown
    return JSON.stringify(value) === compactJson(text) ? { value } : undefined
  } catch {
    return undefined
  }
}

function scriptBody(body: string | undefined): string {
  if (body === undefined) return ''
  const read = jsonIn(body)
  return read === undefined
    ? `  body: ${scriptText(body)},\n`
    : `  body: JSON.stringify(${indented(JSON.stringify(read.value, null, 2), '  ')}),\n`
}

function pythonBody(body: string | undefined, read: { readonly value: unknown } | undefined): string {
  if (body === undefined) return ''
  return read === undefined
    ? `    data=${JSON.stringify(body)}.encode(),\n`
    : `    data=json.dumps(${pythonLiteral(read.value)}).encode(),\n`
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}: ${pythonLiteral(part)}`,
  )
  return `{${members.join(', ')}}`
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`)
}

/** A text as a literal of JavaScript. */
function scriptText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** A text as one word of a shell. */
function word(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
