import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface LockedInputsProps {
  /** Whether what they have is being saved, and the form goes afterwards. */
  readonly isLocked: boolean
  readonly children: ReactNode
}

/** Inputs that take nothing while they are locked: it would be lost. Afterwards the focus is where it was. */
export function LockedInputs({ isLocked, children }: LockedInputsProps) {
  const place = useRef<HTMLDivElement>(null)
  const focused = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (isLocked) {
      const isInside = activeElement instanceof HTMLElement && place.current?.contains(activeElement)
      focused.current = isInside ? activeElement : null
    } else if (activeElement === body || activeElement === null) {
      focused.current?.focus()
      focused.current = null
    }
  }, [isLocked])
  return (
    <div ref={place} inert={isLocked}>
      {children}
    </div>
  )
}
