import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

/** Asks before a page with changes is left. */
export function LeaveGuard({ isOpen }: { readonly isOpen: boolean }) {
  const { t } = useTranslation('entities')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isOpen && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isOpen) return undefined
    const stop = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', stop)
    return () => window.removeEventListener('beforeunload', stop)
  }, [isOpen])
  if (blocker.state !== 'blocked') return null
  return (
    <ConfirmDialog
      title={t('leave.title')}
      action={t('leave.action')}
      onConfirm={async () => blocker.proceed()}
      onClose={() => {
        if (blocker.state === 'blocked') blocker.reset()
      }}
    >
      <Text>{t('leave.text')}</Text>
    </ConfirmDialog>
  )
}
