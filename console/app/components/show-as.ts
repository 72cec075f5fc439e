/** How a form's call is written elsewhere: as a request, as a command, and in a file for `gatehouse apply`. */
import { stringify } from 'yaml'

/** A call of the gateway. */
export interface ShownCall {
  readonly method: string
  readonly path: string
  /** Besides those of the token and of the type of the body. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The same call with curl. The token and the address are variables of the shell. */
export function curlOf({ method, path, headers = {}, body }: ShownCall): string {
  const lines = [`curl -X ${method} "$GATEHOUSE_URL"${quoted(path)}`, `-H "X-Xaas-Auth-Token: $TOKEN"`]
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`)
  }
  return lines.join(' \\\n  ')
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A document for `gatehouse apply -f`. */
export function fileOf(document: unknown): string {
  return stringify(document)
}
