import { type ComponentType, lazy, useState } from 'react'
import { FailureAlert } from './failure-alert.tsx'
import { NotLoaded } from './not-loaded.ts'

/**
 * A component whose code is loaded when it is first shown, below a `Suspense`. Where that fails, it says so in its place, and can
 * be tried again: the rest of the page stays as it is.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      return { default: (props: Props) => <Failed load={load} error={error} props={props} /> }
    }
  })
}

interface FailedProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>
  readonly error: unknown
  readonly props: Props
}

function Failed<Props extends object>({ load, error, props }: FailedProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>()
  if (Loaded !== undefined) return <Loaded {...props} />
  const retry = async () => {
    const component = await load().catch(() => undefined)
    if (component !== undefined) setLoaded(() => component)
  }
  return <FailureAlert error={new NotLoaded(error)} onRetry={() => void retry()} />
}
