import { useEffect, useState } from 'react'

/** The state of a menu that opens as soon as it is there. Its button has the focus then, and gets it again in the end. */
export function useOpening() {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  return { opened, onChange: setOpened }
}
