/** Kinds of APIs, in the order in which they are shown. */
export const apiKinds = ['published', 'upstream', 'management'] as const
export type ApiKind = (typeof apiKinds)[number]

/** What is shown: a kind of APIs, and one of them. */
export interface Place {
  readonly kind: ApiKind
  readonly name?: string
}

/** A place as a part of an address, without a slash in front. */
export function pathOf({ kind, name }: Place): string {
  return name === undefined ? kind : `${kind}/${encodeURIComponent(name)}`
}

/** The place of such a path; that of the published APIs for any other. */
export function placeOf(path: string): Place {
  const [kind, name] = path.split('/')
  const found = apiKinds.find((one) => one === kind)
  if (found === undefined) return { kind: 'published' }
  return name ? { kind: found, name: decoded(name) } : { kind: found }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
