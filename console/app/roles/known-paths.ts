/** The paths that a gateway serves, to choose from. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useAllowed } from '../api/access.ts'
import { callGateway, dataOf, gateway } from '../api/gateway.ts'
import { type KnownPath, pathsOfEntity, pathsOfManagement, pathsOfRoute } from './known-path.ts'

const calls = [
  { method: 'GET', path: '/manage/entities' },
  { method: 'GET', path: '/manage/routes' },
  { method: 'GET', path: '/manage/openapi.json' },
] as const

const always: readonly KnownPath[] = [
  { path: '/graphql', regex: '/graphql', methods: ['GET', 'POST'], kind: 'graphql' },
  { path: '/openapi.json', regex: '/openapi.json', methods: ['GET'], kind: 'documents' },
  { path: '/docs', regex: '/docs', methods: ['GET'], kind: 'documents' },
  { path: '/metrics', regex: '/metrics', methods: ['GET'], kind: 'documents' },
]

/** Paths that contain a text, as far as the account may read of them: some of each kind. */
export function useKnownPaths(text: string): readonly KnownPath[] {
  const [mayReadEntities = false, mayReadRoutes = false, mayReadManagement = false] = useAllowed(calls) ?? []
  const q = text.split('/').filter(Boolean).at(-1) ?? ''
  const query = { limit: 20, ...(q === '' ? {} : { q }) }
  const [entities, routes] = useQueries({
    queries: [
      {
        queryKey: ['entities', 'paths', q],
        queryFn: async () =>
          (await dataOf(gateway.GET('/manage/entities', { params: { query } }))).flatMap(pathsOfEntity),
        enabled: mayReadEntities,
      },
      {
        queryKey: ['routes', 'paths', q],
        queryFn: async () =>
          (await dataOf(gateway.GET('/manage/routes', { params: { query } }))).flatMap(pathsOfRoute),
        enabled: mayReadRoutes,
      },
    ],
  })
  const management = useQuery({
    queryKey: ['management', 'paths'],
    queryFn: async () => pathsOfManagement(await (await callGateway('/manage/openapi.json')).json()),
    enabled: mayReadManagement,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const wanted = text.toLowerCase()
  const rest = [...always, ...(management.data ?? [])].filter(({ path }) =>
    path.toLowerCase().includes(wanted),
  )
  return [...(entities.data ?? []), ...(routes.data ?? []), ...rest]
}
