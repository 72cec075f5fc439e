import { Center, Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Shown while something is read that a page cannot do without. */
export function Loading() {
  const { t } = useTranslation('components')
  return (
    <Center mih={200} role="status" aria-label={t('loading')}>
      <Loader />
    </Center>
  )
}
