import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { versionQuery } from '../entity-queries.ts'
import { PlanDialog } from '../plan/plan-dialog.tsx'
import { uploadOf } from '../plan/planned-operation.ts'

interface RestoreDialogProps {
  readonly name: string
  readonly version: number
  readonly onClose: () => void
}

/** Uploads a version of an entity that was deleted. */
export function RestoreDialog({ name, version, onClose }: RestoreDialogProps) {
  const { t } = useTranslation('entities')
  const definition = useQuery(versionQuery(name, version)).data?.definition ?? undefined
  if (definition === undefined) return null
  return (
    <PlanDialog
      title={t('plan.title', { name })}
      operation={uploadOf(definition)}
      basis={{ name, changedAt: null }}
      onClose={onClose}
    />
  )
}
