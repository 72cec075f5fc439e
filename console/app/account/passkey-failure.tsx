import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../components/failure-alert.tsx'

/** Why a change failed: in words of the server, or because the browser made no passkey. */
export function PasskeyFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('account')
  if (!(error instanceof DOMException)) return <FailureAlert error={error} />
  const isMade = error.name === 'InvalidStateError'
  return (
    <Alert role="alert" color="red" variant="light">
      {t(isMade ? 'passkeys.alreadyMade' : 'passkeys.notMade')}
    </Alert>
  )
}
