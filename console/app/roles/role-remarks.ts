/** What the gateway says of a role, by the authority that it is about. */
import { Refusal } from '../../../browser/refusal.ts'
import type { Authority } from './role-draft.ts'

/** Sentences by the index of their authority, and those about the whole role. */
export interface Remarks {
  readonly byAuthority: ReadonlyMap<number, readonly string[]>
  readonly others: readonly string[]
}

/** The mistakes in a refusal, by their pointers, those in conditions with their place there; none if it is another error. */
export function mistakesIn(error: unknown): Remarks {
  const mistakes = error instanceof Refusal ? (error.problem.errors ?? []) : []
  return remarksOf(
    mistakes.map(({ pointer, detail }) => {
      const [, place, condition] =
        /^\/authorities\/(\d+)(?:\/((?:rows|fields|set)(?:\/.*)?))?/.exec(pointer) ?? []
      const text = condition === undefined ? detail : `${condition}: ${detail}`
      return { place: place === undefined ? undefined : Number(place), text }
    }),
  )
}

/** The warnings of a role, which quote the expression that they are about. */
export function warningsAt(warnings: readonly string[], authorities: readonly Authority[]): Remarks {
  return remarksOf(
    warnings.map((text) => {
      const place = authorities.findIndex(({ regex }) => text.startsWith(`The authority "${regex}" `))
      return { place: place === -1 ? undefined : place, text }
    }),
  )
}

function remarksOf(found: readonly { readonly place: number | undefined; readonly text: string }[]): Remarks {
  const byAuthority = new Map<number, string[]>()
  const others: string[] = []
  for (const { place, text } of found) {
    if (place === undefined) others.push(text)
    else byAuthority.set(place, [...(byAuthority.get(place) ?? []), text])
  }
  return { byAuthority, others }
}
