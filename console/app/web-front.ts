/** The gateway as the page sees it: every call that is made. Everything that fails throws a `Refusal`. */
import { connect, Refusal } from '../../browser/index.ts'
import { send } from '../../browser/send.ts'

/** The web front that this page comes from. */
export const webFront = connect()

/** An entity, as far as the page shows it. */
export interface Entity {
  readonly name: string
  /** Path of its published API; null where it has none. */
  readonly resource: string | null
  /** As it was uploaded: what has a default may be absent. */
  readonly definition: {
    readonly persistence?: boolean
    readonly abstract?: boolean
    readonly attributes: {
      readonly identifier: Field
      readonly local_fields?: readonly Field[]
      readonly ref_fields?: readonly Field[]
    }
  }
}

interface Field {
  readonly field_name: string
  readonly field_persistence?: boolean
}

/** The most that a page of a list has. */
const pageSize = 1000

/** The entities whose definitions were uploaded to the gateway. */
export async function listEntities(): Promise<readonly Entity[]> {
  const all: Entity[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last === undefined ? '' : `&after=${encodeURIComponent(last.name)}`
    const response = await webFront.fetch(`/manage/entities?limit=${pageSize}${after}`)
    const page = (await response.json()) as readonly Entity[]
    all.push(...page)
    if (page.length < pageSize) return all
  }
}

/** What a GraphQL query is answered, its errors included. */
export async function runQuery(query: string): Promise<unknown> {
  return readJson(await sendJson('POST', '/graphql', { query }))
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls the gateway, with a document as JSON. Gives the JSON of the response, if it has any. */
export async function callGateway(method: Method, path: string, document?: object): Promise<unknown> {
  return readJson(await sendJson(method, path, document))
}

function sendJson(method: Method, path: string, document?: object): Promise<Response> {
  if (document === undefined) return webFront.fetch(path, { method })
  const headers = { 'content-type': 'application/json' }
  return webFront.fetch(path, { method, headers, body: JSON.stringify(document) })
}

/** Calls the web front itself. Gives the JSON of the response, if it has any. */
export async function call(method: Method, path: string): Promise<unknown> {
  return readJson(await send(path, { method }, `${method} on ${path}`))
}

async function readJson(response: Response): Promise<unknown> {
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  if (isJson) return response.json()
  if (!response.ok) throw new Refusal(`The answer has status ${response.status}.`, {}, response)
  return undefined
}
