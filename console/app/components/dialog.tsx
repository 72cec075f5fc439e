import { Modal, type ModalProps } from '@mantine/core'
import { createContext, useContext, useEffect, useState } from 'react'

/** Tells the dialog around that another one has opened above it (1), or has closed (-1). */
const InnerDialogs = createContext<(change: 1 | -1) => void>(() => undefined)

/** A dialog over the page, or over another dialog: Escape closes the innermost one only. */
export function Dialog({ closeOnEscape = true, ...props }: ModalProps) {
  const { opened } = props
  const tellOuter = useContext(InnerDialogs)
  const [inner, setInner] = useState(0)
  const [tell] = useState(() => (change: 1 | -1) => setInner((count) => count + change))
  useEffect(() => {
    if (!opened) return undefined
    tellOuter(1)
    return () => tellOuter(-1)
  }, [opened, tellOuter])
  return (
    <InnerDialogs value={tell}>
      <Modal {...props} closeOnEscape={closeOnEscape && inner === 0} />
    </InnerDialogs>
  )
}
