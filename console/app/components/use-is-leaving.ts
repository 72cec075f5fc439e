import { useHref, useLocation, useNavigation } from 'react-router'

/** Tells whether another page was asked for: what changes the address of this one would bring its reader back. */
export function useIsLeaving(): () => boolean {
  const { state } = useNavigation()
  const here = useHref(useLocation().pathname)
  return () => state !== 'idle' || window.location.pathname !== here
}
