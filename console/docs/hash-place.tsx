import { useSyncExternalStore } from 'react'
import type { LinkProps } from '../openapi/apis-context.ts'
import { type Place, pathOf, placeOf } from '../openapi/place.ts'

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

/** The place that the fragment of the address names. */
export function useHashPlace(): Place {
  return placeOf(useSyncExternalStore(subscribe, () => location.hash).replace(/^#/, ''))
}

/** A link to a place of this page. */
export function HashLink({ to, className, isCurrent = false, children }: LinkProps) {
  return (
    <a href={`#${pathOf(to)}`} className={className} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  )
}
