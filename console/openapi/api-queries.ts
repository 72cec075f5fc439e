/** Lists of APIs, and their operations, as a reader may call them. */
import { queryOptions } from '@tanstack/react-query'
import type { ApiSource, Texts } from './apis-context.ts'
import { type Document, type Operation, operationsIn } from './openapi.ts'
import type { ApiKind } from './place.ts'
import { operationsOfRoute, type UpstreamRoute } from './upstream.ts'

/** An API in the list. */
export interface ListedApi {
  readonly name: string
  /** Its path, if it has one. */
  readonly path?: string
}

/** The operations of an API, and the document that their references lead into. */
export interface ApiOperations {
  readonly document: Document
  readonly operations: readonly Operation[]
  /** The path of the document that describes them; absent if there is none. */
  readonly address?: string
}

/** The call with which the APIs of a kind are read. */
export const needs = {
  published: { method: 'GET', path: '/openapi.json' },
  upstream: { method: 'GET', path: '/manage/routes' },
  management: { method: 'GET', path: '/manage/openapi.json' },
} as const

/** Which kinds of APIs the reader may see besides the published ones. */
export function kindsQuery({ allowed }: ApiSource) {
  return queryOptions({
    queryKey: ['apis', 'kinds'],
    queryFn: async (): Promise<readonly ApiKind[]> => {
      const [upstream, management] = await allowed([needs.upstream, needs.management])
      return [
        'published',
        ...(upstream ? ['upstream' as const] : []),
        ...(management ? ['management' as const] : []),
      ]
    },
    staleTime: 60_000,
  })
}

/** The APIs of a kind. */
export function apiListQuery(kind: ApiKind, source: ApiSource) {
  return queryOptions({
    queryKey: ['apis', 'list', kind],
    queryFn: ({ signal }) => lists[kind](source, signal),
    staleTime: 30_000,
  })
}

type ReadList = (source: ApiSource, signal: AbortSignal) => Promise<readonly ListedApi[]>

const lists: Readonly<Record<ApiKind, ReadList>> = {
  async published({ read }, signal) {
    const { tags } = (await read('/openapi.json?operations=false', signal)) as Document
    return tags.map(({ name, 'x-path': path }) => ({ name, ...(path === undefined ? {} : { path }) }))
  },
  upstream: readRoutes,
  async management(source, signal) {
    const { document, operations } = await readManagement(source, signal)
    const used = new Set(operations.map(({ tag }) => tag))
    return document.tags.filter(({ name }) => used.has(name)).map(({ name }) => ({ name }))
  },
}

/** The operations of an API. */
export function apiQuery(kind: ApiKind, name: string, source: ApiSource, texts: Texts) {
  return queryOptions({
    queryKey: ['apis', 'one', kind, name],
    queryFn: ({ signal }) => readers[kind](name, source, { signal, texts }),
    staleTime: 30_000,
  })
}

interface Reading {
  readonly signal: AbortSignal
  readonly texts: Texts
}

type ReadOne = (name: string, source: ApiSource, reading: Reading) => Promise<ApiOperations>

const readers: Readonly<Record<ApiKind, ReadOne>> = {
  async published(name, { read }, { signal }) {
    const address = `/openapi.json?entity=${encodeURIComponent(name)}`
    const document = (await read(address, signal)) as Document
    return { document, operations: operationsIn(document), address }
  },
  async upstream(name, { read }, { signal, texts }) {
    const route = (await read(`/manage/routes/${encodeURIComponent(name)}`, signal)) as UpstreamRoute
    return { document: noDocument, operations: operationsOfRoute(route, texts) }
  },
  async management(name, source, { signal }) {
    const { document, operations } = await readManagement(source, signal)
    const own = operations.filter(({ tag }) => tag === name)
    return { document, operations: own, address: '/manage/openapi.json' }
  },
}

const noDocument: Document = { info: { version: '' }, tags: [], paths: {} }

async function readManagement({ read, allowed }: ApiSource, signal: AbortSignal): Promise<ApiOperations> {
  const document = (await read('/manage/openapi.json', signal)) as Document
  const all = operationsIn(document)
  // Some name in place of each parameter of a path.
  const answers = await allowed(
    all.map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, '1') })),
  )
  return { document, operations: all.filter((_, index) => answers[index]) }
}

/** The most routes that the gateway lists at once. */
const pageSize = 1000

async function readRoutes({ read }: ApiSource, signal: AbortSignal): Promise<readonly ListedApi[]> {
  const found: UpstreamRoute[] = []
  let page: readonly UpstreamRoute[]
  let after = ''
  do {
    page = (await read(`/manage/routes?limit=${pageSize}${after}`, signal)) as readonly UpstreamRoute[]
    found.push(...page.filter(({ target }) => target !== undefined))
    after = `&after=${encodeURIComponent(page.at(-1)?.name ?? '')}`
  } while (page.length === pageSize)
  return found.map(({ name, path }) => ({ name, path }))
}
