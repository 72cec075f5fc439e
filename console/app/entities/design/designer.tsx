import { Button, Fieldset, Grid, Group, Paper, Stack } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Definition, fieldsOf, textAt } from '../definition/definition.ts'
import { type Mistake, mistakesBeside } from '../definition/mistakes.ts'
import { PlanDialog } from '../plan/plan-dialog.tsx'
import { type ChangedEntity, uploadOf } from '../plan/planned-operation.ts'
import { DefinitionTextEditor } from './definition-text-editor.tsx'
import { type Design, DesignContext } from './design-context.ts'
import classes from './designer.module.css'
import { draftOf, inLanguage, withDefinition, withText } from './draft.ts'
import { EntityMembers } from './entity-members.tsx'
import { FieldList } from './field-list.tsx'
import { IdentifierRow } from './identifier-row.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { MistakeSummary } from './mistake-summary.tsx'

interface DesignerProps {
  /** What the design begins with. */
  readonly initial: Definition
  /** What is stored; undefined for a new entity. */
  readonly stored: Definition | undefined
  /** When it was uploaded; null for a new entity. */
  readonly changedAt: string | null
  readonly isReadOnly: boolean
  /** Gets the name of the entity after its upload. */
  readonly onDone: (name: string) => void
}

/** Edits a definition as a form and as text, and uploads it after showing its plan. */
export function Designer({ initial, isReadOnly, onDone, ...latest }: DesignerProps) {
  const { t } = useTranslation('entities')
  // What is being edited is based on what was stored when it was begun.
  const [{ stored, changedAt }, setBasis] = useState(latest)
  const [draft, setDraft] = useState(() => draftOf(initial, 'json'))
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([])
  const [isPlanned, setIsPlanned] = useState(false)
  const [done, setDone] = useState<readonly ChangedEntity[]>()
  const { definition, mistake } = draft
  const name = textAt(definition, ['name'])
  const storedName = stored === undefined ? undefined : textAt(stored, ['name'])
  const isChanged = JSON.stringify(definition) !== JSON.stringify(stored ?? initial)
  const storedFields = useMemo(() => new Set(fieldsOf(stored).map(({ name }) => name)), [stored])
  const restart = () => {
    setBasis(latest)
    setDraft((old) => draftOf(latest.stored ?? initial, old.language))
    setMistakes([])
    setDone(undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is shown where nothing is being edited.
  useEffect(() => {
    if (!isChanged && latest.changedAt !== changedAt) restart()
  }, [latest.changedAt])
  const design: Design = {
    definition,
    storedName,
    storedFields,
    mistakes,
    isReadOnly,
    change(path, update) {
      setDraft((old) => withDefinition(old, update(old.definition)))
      setMistakes((old) => (path === 'moved' ? [] : mistakesBeside(old, path)))
    },
  }
  return (
    <DesignContext.Provider value={design}>
      <LeaveGuard isOpen={isChanged && done === undefined && !isReadOnly} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Fieldset variant="unstyled" disabled={mistake !== undefined} aria-label={t('design.form')}>
            <Stack gap="lg">
              <MistakeSummary />
              <EntityMembers isNew={stored === undefined} />
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
            onText={(text) => {
              setDraft((old) => (old.text === text ? old : withText(old, text)))
              if (text !== draft.text) setMistakes([])
            }}
            onLanguage={(language) => setDraft((old) => inLanguage(old, language))}
          />
        </Grid.Col>
      </Grid>
      {isReadOnly ? null : (
        <Paper className={classes.buttons} radius={0}>
          <Group>
            <Button
              leftSection={<IconListCheck size={16} />}
              disabled={mistake !== undefined || !isChanged}
              onClick={() => setIsPlanned(true)}
            >
              {t('design.plan')}
            </Button>
            {isChanged ? (
              <Button variant="default" onClick={restart}>
                {t('design.discard')}
              </Button>
            ) : null}
          </Group>
        </Paper>
      )}
      {isPlanned ? (
        <PlanDialog
          title={t('plan.title', { name })}
          operation={uploadOf(definition)}
          basis={{ name: storedName ?? name, changedAt }}
          onMistakes={setMistakes}
          onDone={setDone}
          onClose={() => {
            setIsPlanned(false)
            if (done === undefined) return
            restart()
            onDone(done[0]?.name ?? name)
          }}
        />
      ) : null}
    </DesignContext.Provider>
  )
}
