import {
  Badge,
  Button,
  Code,
  Collapse,
  Group,
  Paper,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconChevronRight, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gatewayLanguage } from '../../language/languages.ts'
import { type EntityPlan, isIdle, type PlanStep } from './plan.ts'

/** The kinds of steps that have a text here. */
const translatedKinds = [
  ...(['createTable', 'adoptTable', 'takeTable', 'dropTable', 'renameTable'] as const),
  ...(['addColumn', 'dropColumn', 'renameColumn', 'changeType', 'allowNull', 'forbidNull'] as const),
  ...(['addUnique', 'dropUnique', 'addReference', 'dropReference'] as const),
  ...(['changeIdentifier', 'changeRules', 'deleteDefinition', 'none'] as const),
]

/** How many entities of a plan are shown before someone asks for more. */
const firstEntities = 30

/** What a plan does, entity by entity, step by step. */
export function PlanSteps({ plan }: { readonly plan: EntityPlan }) {
  const { t } = useTranslation('entities')
  const [shown, setShown] = useState(firstEntities)
  if (isIdle(plan)) return <Text>{t('plan.idle')}</Text>
  const left = plan.entities.length - shown
  return (
    <Stack gap="sm">
      {plan.entities.slice(0, shown).map((entity) => (
        <EntitySteps key={entity.name} entity={entity} />
      ))}
      {left > 0 ? (
        <Button variant="default" onClick={() => setShown(shown + 10 * firstEntities)}>
          {t('plan.showMore', { count: left })}
        </Button>
      ) : null}
    </Stack>
  )
}

function EntitySteps({ entity }: { readonly entity: EntityPlan['entities'][number] }) {
  const { t } = useTranslation('entities')
  const { name, renamed_from, drift = [], steps } = entity
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        <Group gap="xs">
          <Title order={3} size="h5">
            <bdi>{name}</bdi>
          </Title>
          {renamed_from === undefined ? null : (
            <Text size="sm" c="dimmed">
              {t('plan.renamedFrom', { name: renamed_from })}
            </Text>
          )}
        </Group>
        {drift.map((sentence) => (
          <Text key={sentence} size="sm">
            {t('plan.driftNow', { sentence })}
          </Text>
        ))}
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only shown, and may say the same.
          <Step key={index} step={step} />
        ))}
      </Stack>
    </Paper>
  )
}

/** What the gateway says of a step, and before it the same in short in a language that the gateway does not have. */
function StepText({ step }: { readonly step: PlanStep }) {
  const { t, i18n } = useTranslation('entities')
  const { description, rows, destructive, row_count: count, field = '' } = step
  const kind = translatedKinds.find((known) => known === step.kind)
  const effect = count === 0 ? 'stay' : destructive ? 'lose' : 'change'
  const isTranslated = i18n.language !== gatewayLanguage && kind !== undefined
  return (
    <>
      {isTranslated ? (
        <Text size="sm">
          {t(`plan.kinds.${kind}`, { field })} {t(`plan.rows.${effect}`, { count })}
        </Text>
      ) : null}
      <Text size={isTranslated ? 'xs' : 'sm'} lang={gatewayLanguage} {...(isTranslated && { c: 'dimmed' })}>
        {description} {rows}
      </Text>
    </>
  )
}

function Step({ step }: { readonly step: PlanStep }) {
  const { t } = useTranslation('entities')
  const [isOpen, { toggle }] = useDisclosure()
  const { sql, destructive, undoable, table, blocks } = step
  const Mark = destructive ? IconAlertTriangle : IconCircleCheck
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Mark
        size={18}
        color={destructive ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)'}
        style={{ flexShrink: 0, marginTop: 2 }}
        aria-hidden
      />
      <Stack gap={4} miw={0} flex={1}>
        <StepText step={step} />
        <Group gap={6}>
          {destructive ? (
            <Badge color="red.9" variant="filled">
              {t('plan.destructive')}
            </Badge>
          ) : null}
          {undoable ? null : <Badge variant="default">{t('plan.final')}</Badge>}
          {step.kind === 'none' || sql.length === 0 ? null : (
            <Badge variant="default">{t(`plan.table.${table}`)}</Badge>
          )}
          {blocks === 'nothing' ? null : <Badge variant="default">{t(`plan.blocks.${blocks}`)}</Badge>}
        </Group>
        {sql.length === 0 ? null : (
          <>
            <UnstyledButton onClick={toggle} aria-expanded={isOpen}>
              <Group gap={4}>
                <IconChevronRight size={14} style={{ rotate: isOpen ? '90deg' : '0deg' }} aria-hidden />
                <Text size="sm">{t('plan.statements', { count: sql.length })}</Text>
              </Group>
            </UnstyledButton>
            <Collapse expanded={isOpen}>
              <Code block tabIndex={0} role="region" aria-label={t('plan.statements', { count: sql.length })}>
                {sql.join(';\n')}
              </Code>
            </Collapse>
          </>
        )}
      </Stack>
    </Group>
  )
}
