import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { AuthorityTable } from '../components/authority-table.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { LockedInputs } from '../components/locked-inputs.tsx'
import { Section } from '../components/section.tsx'
import { AuthorityEditor } from './authority-editor.tsx'
import { ChangesView } from './changes-view.tsx'
import { changesOf } from './role-changes.ts'
import { isTaken, type RoleDraft, withAuthority } from './role-draft.ts'
import { mistakesIn, type Remarks, warningsAt } from './role-remarks.ts'
import { RoleSettings } from './role-settings.tsx'
import { Tester } from './tester.tsx'

interface RoleEditorProps {
  /** Its name; undefined for a role that does not exist yet. */
  readonly name: string | undefined
  /** What is stored. */
  readonly saved: RoleDraft
  readonly draft: RoleDraft
  readonly isReadOnly: boolean
  /** What the gateway warned of when the role was saved. */
  readonly warnings: readonly string[]
  readonly error: unknown
  readonly isSaving: boolean
  /** Fields above the authorities. */
  readonly children?: ReactNode
  /** Buttons beside the one that saves. */
  readonly actions: ReactNode
  readonly onChange: (draft: RoleDraft) => void
  readonly onSave: () => void
}

/** A role to edit, and beside it a tester that knows what is stored. */
export function RoleEditor(props: RoleEditorProps) {
  const { name, draft, isReadOnly, onChange } = props
  const mayTest = useIsAllowed('GET', '/manage/explain-access')
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: mayTest ? 7 : 12 }}>
        {/* A stored role stays on the page when it is saved, with what is entered meanwhile. */}
        <LockedInputs isLocked={props.isSaving && name === undefined}>
          <RoleForm {...props} />
        </LockedInputs>
      </Grid.Col>
      {mayTest ? (
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Tester
            {...(name === undefined ? {} : { role: name })}
            {...(isReadOnly ? {} : { onAdd: (authority) => onChange(withAuthority(draft, authority)) })}
          />
        </Grid.Col>
      ) : null}
    </Grid>
  )
}

function RoleForm(props: RoleEditorProps) {
  const { t } = useTranslation('roles')
  const { name, saved, draft, isReadOnly, warnings, error, isSaving, children, actions, onChange, onSave } =
    props
  const mistakes = mistakesIn(error)
  const remarks = warningsAt(warnings, draft.authorities)
  const changes = changesOf(saved, draft)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <Stack gap="lg">
        {children}
        <Section title={t('authorities.title')} description={t('authorities.description')}>
          {isReadOnly ? (
            <AuthorityTable label={t('authorities.title')} authorities={draft.authorities} />
          ) : (
            <AuthorityEditor draft={draft} mistakes={mistakes} warnings={remarks} onChange={onChange} />
          )}
        </Section>
        <Section title={t('settings')}>
          <RoleSettings draft={draft} isReadOnly={isReadOnly} onChange={onChange} />
        </Section>
        {isReadOnly ? null : (
          <>
            <OtherWarnings remarks={remarks} />
            {name === undefined || changes.added.length + changes.removed.length === 0 ? null : (
              <Section title={t('changes.title')}>
                <ChangesView changes={changes} />
              </Section>
            )}
            {error === null || error === undefined ? null : <FailureAlert error={error} />}
            <Group>
              <Button type="submit" loading={isSaving} disabled={!isTaken(draft)}>
                {name === undefined ? t('create') : t('save')}
              </Button>
              {actions}
            </Group>
          </>
        )}
      </Stack>
    </form>
  )
}

function OtherWarnings({ remarks: { others } }: { readonly remarks: Remarks }) {
  if (others.length === 0) return null
  return (
    <Alert color="yellow" variant="outline" role="status">
      {others.map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
    </Alert>
  )
}
