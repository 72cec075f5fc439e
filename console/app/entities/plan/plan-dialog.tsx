import { Button, Group, Stack } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { Loading } from '../../components/loading.tsx'
import { ChangedEntities } from '../changed-entities.tsx'
import { type Mistake, mistakesIn } from '../definition/mistakes.ts'
import { Notice } from '../notice.tsx'
import { PlanReview } from './plan-review.tsx'
import type { ChangedEntity, PlannedOperation } from './planned-operation.ts'
import { type Basis, usePlannedOperation } from './use-planned-operation.ts'

interface PlanDialogProps {
  readonly title: string
  readonly operation: PlannedOperation
  /** What the change was begun with, if others may have changed it since. */
  readonly basis?: Basis
  /** Gets what the gateway finds wrong in the definition, each time it is planned. */
  readonly onMistakes?: (mistakes: readonly Mistake[]) => void
  readonly onDone?: (entities: readonly ChangedEntity[]) => void
  readonly onClose: () => void
}

/** Shows what a change would do, makes it once that is confirmed, and says what came of it. */
export function PlanDialog({ title, operation, basis, onMistakes, onDone, onClose }: PlanDialogProps) {
  const { t } = useTranslation('entities')
  const { t: tComponents } = useTranslation('components')
  const course = usePlannedOperation(operation, basis)
  const { made, error, done, isApplying } = course
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was found counts, not who is told.
  useEffect(() => {
    if (error !== undefined) onMistakes?.(mistakesIn(error))
    else if (made !== undefined) onMistakes?.(made.plan.problems)
  }, [error, made])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (done !== undefined) onDone?.(done)
  }, [done])

  return (
    <Dialog
      opened
      onClose={isApplying ? () => {} : onClose}
      title={title}
      size="xl"
      closeButtonProps={{ 'aria-label': tComponents('close') }}
    >
      <Stack>
        {done === undefined ? (
          <>
            {made === undefined && error === undefined ? <Loading /> : null}
            {made === undefined ? null : (
              <PlanReview course={course} made={made} operation={operation} onClose={onClose} />
            )}
            {error === undefined ? null : (
              <FailureAlert error={error} onRetry={() => course.makePlan(made?.allowsLoss ?? false)} />
            )}
            {made === undefined && error !== undefined ? (
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  {t('plan.back')}
                </Button>
              </Group>
            ) : null}
          </>
        ) : (
          <PlanResult entities={done} onClose={onClose} />
        )}
      </Stack>
    </Dialog>
  )
}

interface PlanResultProps {
  readonly entities: readonly ChangedEntity[]
  readonly onClose: () => void
}

function PlanResult({ entities, onClose }: PlanResultProps) {
  const { t } = useTranslation('entities')
  return (
    <>
      <Notice kind="done" title={t('plan.done')} role="status">
        <ChangedEntities entities={entities} />
      </Notice>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {t('plan.close')}
        </Button>
      </Group>
    </>
  )
}
