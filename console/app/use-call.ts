import { useCallback, useState } from 'react'
import { LoginNeeded, Refusal } from '../../browser/index.ts'

/** One call at a time, and what it was refused with. */
export interface Calling {
  readonly isBusy: boolean
  /** Why the last call was refused. */
  readonly refusal: string | undefined
  /** Whether the work was done. */
  run(work: () => Promise<void>): Promise<boolean>
}

/** Runs calls that a person asks for. */
export function useCall(onLoginNeeded: (error: LoginNeeded) => void): Calling {
  const [isBusy, setIsBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  const run = useCallback(
    async (work: () => Promise<void>): Promise<boolean> => {
      setIsBusy(true)
      setRefusal(undefined)
      try {
        await work()
        return true
      } catch (error) {
        if (error instanceof LoginNeeded) onLoginNeeded(error)
        else if (error instanceof Refusal) setRefusal(error.message)
        else throw error
        return false
      } finally {
        setIsBusy(false)
      }
    },
    [onLoginNeeded],
  )
  return { isBusy, refusal, run }
}
