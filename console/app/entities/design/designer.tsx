import { Button, Fieldset, Grid, Group, Paper, Stack } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { RestoredNotice } from '../../components/restored-notice.tsx'
import { textAt } from '../definition/definition.ts'
import { PlanDialog } from '../plan/plan-dialog.tsx'
import { type ChangedEntity, uploadOf } from '../plan/planned-operation.ts'
import { DefinitionTextEditor } from './definition-text-editor.tsx'
import { DesignContext } from './design-context.ts'
import classes from './designer.module.css'
import { EntityMembers } from './entity-members.tsx'
import { FieldList } from './field-list.tsx'
import { IdentifierRow } from './identifier-row.tsx'
import { MistakeSummary } from './mistake-summary.tsx'
import { type DraftStart, useDraft } from './use-draft.ts'

interface DesignerProps extends DraftStart {
  readonly isReadOnly: boolean
  /** Gets the name of the entity after its upload. */
  readonly onDone: (name: string) => void
}

/** Edits a definition as a form and as text, and uploads it after showing its plan. */
export function Designer({ isReadOnly, onDone, ...start }: DesignerProps) {
  const { t } = useTranslation('entities')
  const [isPlanned, setIsPlanned] = useState(false)
  const [done, setDone] = useState<readonly ChangedEntity[]>()
  const edited = useDraft(start, isReadOnly)
  const { draft, design, basis, isChanged, isRestored, setMistakes, onText, onLanguage, restart } = edited
  const { definition, mistake } = draft
  const name = textAt(definition, ['name'])
  return (
    <DesignContext.Provider value={design}>
      <LeaveGuard isChanged={isChanged && done === undefined && !isReadOnly} />
      {isRestored ? <RestoredNotice /> : null}
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Fieldset variant="unstyled" disabled={mistake !== undefined} aria-label={t('design.form')}>
            <Stack gap="lg">
              <MistakeSummary />
              <EntityMembers isNew={start.stored === undefined} />
              <IdentifierRow />
              <FieldList list="local_fields" />
              <FieldList list="ref_fields" />
            </Stack>
          </Fieldset>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }} className={classes.text}>
          <DefinitionTextEditor
            draft={draft}
            isReadOnly={isReadOnly}
            onText={onText}
            onLanguage={onLanguage}
          />
        </Grid.Col>
      </Grid>
      {isReadOnly ? null : (
        <DesignButtons
          mayPlan={mistake === undefined && isChanged}
          onPlan={() => setIsPlanned(true)}
          {...(isChanged ? { onDiscard: restart } : {})}
        />
      )}
      {isPlanned ? (
        <PlanDialog
          title={t('plan.title', { name })}
          operation={uploadOf(definition)}
          basis={basis}
          onMistakes={setMistakes}
          onDone={setDone}
          onClose={() => {
            setIsPlanned(false)
            if (done === undefined) return
            setDone(undefined)
            restart()
            onDone(done[0]?.name ?? name)
          }}
        />
      ) : null}
    </DesignContext.Provider>
  )
}

interface DesignButtonsProps {
  readonly mayPlan: boolean
  readonly onPlan: () => void
  /** Absent if there is nothing to discard. */
  readonly onDiscard?: () => void
}

function DesignButtons({ mayPlan, onPlan, onDiscard }: DesignButtonsProps) {
  const { t } = useTranslation('entities')
  return (
    <Paper className={classes.buttons} radius={0}>
      <Group>
        <Button leftSection={<IconListCheck size={16} />} disabled={!mayPlan} onClick={onPlan}>
          {t('design.plan')}
        </Button>
        {onDiscard === undefined ? null : (
          <Button variant="default" onClick={onDiscard}>
            {t('design.discard')}
          </Button>
        )}
      </Group>
    </Paper>
  )
}
