import { Button, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { Notice } from '../notice.tsx'
import { isAllowable, isIdle, lossesOf } from './plan.ts'
import { PlanSteps } from './plan-steps.tsx'
import type { PlannedOperation } from './planned-operation.ts'
import type { MadePlan, PlanCourse } from './use-planned-operation.ts'

interface PlanReviewProps {
  readonly course: PlanCourse
  readonly made: MadePlan
  readonly operation: PlannedOperation
  readonly onClose: () => void
}

/** A plan, with what has to be confirmed before it is carried out. */
export function PlanReview({ course, made, operation, onClose }: PlanReviewProps) {
  const { t } = useTranslation('entities')
  const { plan, allowsLoss, overwritten } = made
  const { isPlanning, isApplying } = course
  const [typed, setTyped] = useState('')
  const [replaces, setReplaces] = useState(false)
  const losses = lossesOf(plan)
  const mustType = losses.length > 0 || operation.isRemoval ? phraseFor(operation.names, t) : undefined
  const isConfirmed =
    (mustType === undefined || typed === mustType) && (overwritten === undefined || replaces)
  const mayApply = plan.possible && !isIdle(plan)
  return (
    <Stack>
      {course.hasChanged ? (
        <Notice kind="warning" title={t('plan.changed')} role="alert">
          {t('plan.changedText')}
        </Notice>
      ) : null}
      {overwritten === undefined ? null : (
        <Notice kind="warning" title={t('plan.overwritten')} role="alert">
          <Stack gap="xs">
            <Text size="sm">
              {t('plan.overwrittenText', { name: overwritten.name, account: overwritten.changed_by })}{' '}
              <Timestamp time={overwritten.changed_at} />
            </Text>
            <Checkbox
              label={t('plan.replace')}
              checked={replaces}
              onChange={(event) => setReplaces(event.currentTarget.checked)}
            />
          </Stack>
        </Notice>
      )}
      <Problems made={made} course={course} />
      <PlanSteps plan={plan} />
      {losses.length === 0 ? null : (
        <Notice kind="loss" title={t('plan.losses')}>
          <List size="sm">
            {losses.map(({ entity, description, rows }) => (
              <List.Item key={entity + description}>
                {description} {rows}
              </List.Item>
            ))}
          </List>
        </Notice>
      )}
      {mustType === undefined || !mayApply ? null : (
        <TextInput
          label={t('plan.type', { text: mustType })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      {isApplying ? <Text role="status">{t('plan.applying')}</Text> : null}
      <Group justify="space-between">
        <ShowAsButton
          call={operation.call(allowsLoss)}
          command={operation.command(allowsLoss)}
          {...(operation.file === undefined ? {} : { file: operation.file })}
        />
        <Group gap="xs">
          <Button variant="default" onClick={onClose} disabled={isApplying}>
            {t('plan.back')}
          </Button>
          <Button
            {...(mustType === undefined ? {} : { color: 'red' })}
            loading={isApplying || isPlanning}
            disabled={!mayApply || !isConfirmed}
            onClick={course.apply}
          >
            {t(operation.isRemoval ? 'plan.delete' : 'plan.apply')}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

/** Why the change would be refused, and what can be allowed. */
function Problems({ made: { plan, allowsLoss }, course }: Pick<PlanReviewProps, 'made' | 'course'>) {
  const { t } = useTranslation('entities')
  const { problems } = plan
  const mayAllow = isAllowable(plan) || allowsLoss
  if (problems.length === 0 && !mayAllow) return null
  return (
    <>
      {problems.length === 0 ? null : (
        <Notice kind="loss" title={t('plan.refused')} role="alert">
          <List size="sm">
            {problems.map(({ pointer, detail }) => (
              <List.Item key={pointer + detail}>{detail}</List.Item>
            ))}
          </List>
        </Notice>
      )}
      {mayAllow ? (
        <Checkbox
          label={t('plan.allow')}
          description={t('plan.allowText')}
          checked={allowsLoss}
          disabled={course.isPlanning || course.isApplying}
          onChange={(event) => course.makePlan(event.currentTarget.checked)}
        />
      ) : null}
    </>
  )
}

/** What must be typed: names, or how many there are. */
function phraseFor(names: readonly string[], t: ReturnType<typeof useTranslation<'entities'>>['t']): string {
  return names.length <= 2 ? names.join(', ') : t('plan.manyNames', { count: names.length })
}
