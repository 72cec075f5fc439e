import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { versionQuery } from '../entity-queries.ts'
import { PlanDialog } from '../plan/plan-dialog.tsx'
import { uploadOf } from '../plan/planned-operation.ts'

interface RestoreButtonProps {
  readonly name: string
  readonly version: number
}

/** Uploads a version of an entity that was deleted. */
export function RestoreButton({ name, version }: RestoreButtonProps) {
  const { t } = useTranslation('entities')
  const [isAsked, setIsAsked] = useState(false)
  const { data } = useQuery({ ...versionQuery(name, version), enabled: isAsked })
  const definition = data?.definition ?? undefined
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsAsked(true)}>
        {t('versions.restore')}
      </Button>
      {isAsked && definition !== undefined ? (
        <PlanDialog
          title={t('plan.title', { name })}
          operation={uploadOf(definition)}
          basis={{ name, changedAt: null }}
          onClose={() => setIsAsked(false)}
        />
      ) : null}
    </>
  )
}
