import { type ComponentType, useState } from 'react'
import { notifyNotLoaded } from './not-loaded.ts'

/** A dialog or a menu whose code is loaded when it is opened first. */
export interface LoadedComponent<Props> {
  /** Undefined as long as it is closed. */
  readonly Opened: ComponentType<Props> | undefined
  readonly open: () => void
  readonly close: () => void
}

/** Loads a component to open it. Where that fails, it says so, and the component stays closed. */
export function useLoaded<Props>(load: () => Promise<ComponentType<Props>>): LoadedComponent<Props> {
  const [Opened, setOpened] = useState<ComponentType<Props>>()
  return {
    Opened,
    open: () => void load().then((component) => setOpened(() => component), notifyNotLoaded),
    close: () => setOpened(undefined),
  }
}
