import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { entitiesPath } from './entity-paths.ts'

/** Leads back to the list of entities. */
export function BackLink() {
  const { t } = useTranslation('entities')
  return (
    <Anchor
      component={Link}
      to={entitiesPath}
      size="sm"
      display="inline-flex"
      mb="xs"
      style={{ alignItems: 'center', gap: 4 }}
    >
      <IconArrowLeft size={14} aria-hidden />
      {t('title')}
    </Anchor>
  )
}
