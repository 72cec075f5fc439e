import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Says that a form has what was entered before the session ended. */
export function RestoredNotice() {
  const { t } = useTranslation('components')
  return (
    <Alert role="status" maw="44rem" mb="md">
      {t('restored')}
    </Alert>
  )
}
