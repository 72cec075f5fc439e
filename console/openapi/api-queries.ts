/** Lists of APIs, and their operations, as a reader may call them. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ApiSource, Texts } from './apis-context.ts'
import { type Document, type Operation, operationsIn, type Tag } from './openapi.ts'
import type { ApiKind } from './place.ts'
import { operationsOfRoute } from './upstream.ts'

/** An API in the list. */
export interface ListedApi {
  readonly name: string
  /** The name as people read it, if that is another one. */
  readonly label?: string
  /** Its path, if it has one. */
  readonly path?: string
}

/** The operations of an API, and the document that their references lead into. */
export interface ApiOperations {
  /** The name of the API as people read it, if that is another one. */
  readonly label?: string
  readonly document: Document
  readonly operations: readonly Operation[]
  /** The path of the document that describes them; absent if there is none. */
  readonly address?: string
}

/** The call with which the APIs of a kind are read. */
export const needs = {
  published: { method: 'GET', path: '/openapi.json' },
  upstream: { method: 'GET', path: '/openapi.json' },
  management: { method: 'GET', path: '/manage/openapi.json' },
} as const

/** The entities and routes that the reader may call. */
function tagsQuery({ read, language }: ApiSource) {
  return queryOptions({
    queryKey: ['apis', 'tags', language],
    queryFn: async ({ signal }): Promise<readonly Tag[]> =>
      ((await read('/openapi.json?operations=false', signal)) as Document).tags,
    staleTime: 30_000,
  })
}

/** Which kinds of APIs the reader may see besides the published ones. */
export function kindsQuery(source: ApiSource) {
  return queryOptions({
    queryKey: ['apis', 'kinds'],
    queryFn: async ({ client }): Promise<readonly ApiKind[]> => {
      const [tags, [management]] = await Promise.all([
        client.fetchQuery(tagsQuery(source)),
        source.allowed([needs.management]),
      ])
      return [
        'published',
        ...(tags.some(isRoute) ? ['upstream' as const] : []),
        ...(management ? ['management' as const] : []),
      ]
    },
    staleTime: 60_000,
  })
}

/** The APIs of a kind. */
export function apiListQuery(kind: ApiKind, source: ApiSource) {
  return queryOptions({
    queryKey: ['apis', 'list', kind, source.language],
    queryFn: ({ client, signal }) => lists[kind](source, signal, client),
    staleTime: 30_000,
  })
}

type ReadList = (source: ApiSource, signal: AbortSignal, client: QueryClient) => Promise<readonly ListedApi[]>

const lists: Readonly<Record<ApiKind, ReadList>> = {
  async published(source, _signal, client) {
    const tags = await client.fetchQuery(tagsQuery(source))
    return tags.filter((tag) => !isRoute(tag)).map((tag) => listed(tag.name, tag))
  },
  async upstream(source, _signal, client) {
    const tags = await client.fetchQuery(tagsQuery(source))
    return tags.filter(isRoute).map((tag) => listed(tag['x-route'] ?? '', tag))
  },
  async management(source, signal) {
    const { document, operations } = await readManagement(source, signal)
    const used = new Set(operations.map(({ tag }) => tag))
    return document.tags.filter(({ name }) => used.has(name)).map((tag) => listed(tag.name, tag))
  },
}

function isRoute({ 'x-route': route }: Tag): boolean {
  return route !== undefined
}

function listed(name: string, { label, 'x-path': path }: Tag): ListedApi {
  return { name, ...(label === undefined ? {} : { label }), ...(path === undefined ? {} : { path }) }
}

/** The operations of an API. */
export function apiQuery(kind: ApiKind, name: string, source: ApiSource, texts: Texts) {
  return queryOptions({
    queryKey: ['apis', 'one', kind, name, source.language],
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
    const address = `/openapi.json?route=${encodeURIComponent(name)}`
    const document = (await read(address, signal)) as Document
    return { document, operations: operationsOfRoute(document, texts), address }
  },
  async management(name, source, { signal }) {
    const { document, operations } = await readManagement(source, signal)
    const own = operations.filter(({ tag }) => tag === name)
    const label = document.tags.find((tag) => tag.name === name)?.label
    const address = '/manage/openapi.json'
    return { document, operations: own, address, ...(label === undefined ? {} : { label }) }
  },
}

async function readManagement({ read, allowed }: ApiSource, signal: AbortSignal): Promise<ApiOperations> {
  const document = (await read('/manage/openapi.json', signal)) as Document
  const all = operationsIn(document)
  // Some name in place of each parameter of a path.
  const answers = await allowed(
    all.map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, '1') })),
  )
  return { document, operations: all.filter((_, index) => answers[index]) }
}
