/** Addresses of the area. Entities have a folder of their own: one may be called "new". */

/** The list of entities. */
export const entitiesPath = '/entities'

/** The page of an entity, or one of its tabs. */
export function entityPath(name: string, tab: 'design' | 'versions' | 'drift' = 'design'): string {
  return `${entitiesPath}/definition/${encodeURIComponent(name)}${tab === 'design' ? '' : `/${tab}`}`
}

/** The designer of an entity with one of its versions in it. */
export function versionPath(name: string, version: number): string {
  return `${entityPath(name)}?version=${version}`
}

/** The rows of an entity. */
export function dataPath(name: string): string {
  return `/data/${encodeURIComponent(name)}`
}
