import type { Document } from '../../openapi/openapi.ts'
import { pathOf } from '../../openapi/place.ts'
import { callGateway } from '../api/gateway.ts'
import type { FoundPage } from '../shell/areas.ts'

const mostFound = 8

/** The first published and upstream APIs with a text in their name or path. */
export async function findApis(text: string, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const response = await callGateway('/openapi.json?operations=false', { signal })
  const { tags } = (await response.json()) as Document
  const wanted = text.toLowerCase()
  return tags
    .filter(({ name, 'x-path': path = '' }) => `${name}\n${path}`.toLowerCase().includes(wanted))
    .slice(0, mostFound)
    .map(({ name, 'x-path': path = '', 'x-route': route }) => ({
      path: `/apis/${pathOf(route === undefined ? { kind: 'published', name } : { kind: 'upstream', name: route })}`,
      label: route ?? name,
      description: path,
    }))
}
