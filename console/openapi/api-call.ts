/** A call of an operation, put together from what a reader has entered. */
import type { Operation, Parameter } from './openapi.ts'

/** What was entered: values of parameters by place and name, and the body as text. */
export interface CallInput {
  readonly values: ReadonlyMap<string, string>
  readonly body: string
}

/** A call, without the token. */
export interface ApiCall {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Text as it is sent. */
  readonly body?: string
}

/** The key of a parameter's value. */
export function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`
}

/** Whether a parameter takes several values, one in a line. */
export function takesMany({ in: place, schema }: Parameter): boolean {
  return place === 'query' && [schema.type].flat().includes('array')
}

/** The call that was entered. A missing value of the path stays as its name in braces, unless it is its rest. */
export function callOf(operation: Operation, { values, body }: CallInput): ApiCall {
  const { method, parameters, path: template, body: sent } = operation
  const entered = (parameter: Parameter) => values.get(keyOf(parameter)) ?? ''
  let path = template
  const query: string[] = []
  const headers: (readonly [string, string])[] = []
  for (const parameter of parameters) {
    const value = entered(parameter)
    if (value === '' && !(parameter.in === 'path' && parameter.isRest)) continue
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, () => pathText(parameter, value))
    else if (parameter.in === 'query') query.push(...queryTexts(parameter, value))
    else headers.push([parameter.name, value])
  }
  if (sent !== undefined && body !== '') headers.push(['Content-Type', sent.mediaType])
  return {
    method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    ...(sent === undefined || body === '' ? {} : { body }),
  }
}

function pathText({ isRest = false }: Parameter, value: string): string {
  return isRest
    ? value.replace(/^\//, '').split('/').map(encodeURIComponent).join('/')
    : encodeURIComponent(value)
}

/** A character that is not written in an address as it is. */
function encodedPart(character: string): string {
  return character === "'" ? '%27' : encodeURIComponent(character.toWellFormed())
}

function queryTexts(parameter: Parameter, value: string): readonly string[] {
  const { name, explode = true, isRest = false } = parameter
  if (isRest) return [value.replace(/^\?/, '').replaceAll(/[^\x21-\x7e]|["#'<>]/gu, encodedPart)]
  const all = takesMany(parameter) ? value.split('\n').filter((line) => line !== '') : [value]
  const pair = (one: string) => `${encodeURIComponent(name)}=${one}`
  const texts = all.map(encodeURIComponent)
  return explode ? texts.map(pair) : [pair(texts.join(','))]
}
