import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { BackLink } from '../back-link.tsx'
import { newDefinition } from '../definition/definition.ts'
import { entityPath } from '../entity-paths.ts'
import { Designer } from './designer.tsx'

/** Designs an entity that is not there yet. */
export function NewEntityPage() {
  const { t } = useTranslation('entities')
  const navigate = useNavigate()
  const initial = useMemo(newDefinition, [])
  return (
    <>
      <BackLink />
      <PageHeader title={t('new.title')} description={t('new.description')} />
      <Designer
        initial={initial}
        stored={undefined}
        changedAt={null}
        isReadOnly={false}
        onDone={(name) => void navigate(entityPath(name))}
      />
    </>
  )
}
