import { useEffect, useState } from 'react'
import { passkeysHere } from './passkey.ts'

interface PasskeyButtonProps {
  readonly isBusy: boolean
  readonly onUse: () => void
}

/** Logs on with a passkey, where the gateway and the browser have them. */
export function PasskeyButton({ isBusy, onUse }: PasskeyButtonProps) {
  const [here, setHere] = useState<boolean | string>(false)
  useEffect(() => {
    let isCurrent = true
    void passkeysHere().then((known) => isCurrent && setHere(known))
    return () => {
      isCurrent = false
    }
  }, [])
  if (typeof here === 'string') return <p>{here}</p>
  if (!here) return null
  return (
    <button type="button" className="other" disabled={isBusy} onClick={onUse}>
      Use a passkey
    </button>
  )
}
