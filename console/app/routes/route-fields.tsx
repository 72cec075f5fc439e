import { Button, Chip, Group, Input, Stack, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../components/code-editor.tsx'
import { ConditionsLine } from '../components/conditions-line.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { LockedInputs } from '../components/locked-inputs.tsx'
import { conditionsOf } from '../components/record-conditions.ts'
import { Section } from '../components/section.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { ConditionsEditor } from '../conditions/conditions-editor.tsx'
import type { EditedConditions } from '../conditions/edited-conditions.ts'
import { mayHaveConditions, type RouteForm, routeOf } from './route-form.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface RouteFieldsProps {
  readonly form: RouteForm
  /** The call that saves the route. */
  readonly call: { readonly method: string; readonly path: string }
  readonly isNew: boolean
  readonly isReadOnly: boolean
  readonly isBusy: boolean
  /** Why the route could not be saved. */
  readonly error: Error | null
  readonly onChange: (form: RouteForm) => void
  readonly onSave: () => void
}

/** The fields of a route. */
export function RouteFields(props: RouteFieldsProps) {
  const { form, isNew, isReadOnly, error, onChange, onSave } = props
  const { t } = useTranslation('routes')
  const set = (change: Partial<RouteForm>) => onChange({ ...form, ...change })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <LockedInputs isLocked={props.isBusy}>
        <Section title={t('what')}>
          <Stack maw="40rem">
            {isNew ? (
              <TextInput
                label={t('name')}
                required
                value={form.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
              />
            ) : null}
            <TextInput
              label={t('path')}
              description={t('pathHint')}
              required
              readOnly={isReadOnly}
              value={form.path}
              onChange={(event) => set({ path: event.currentTarget.value })}
            />
            <ChipField
              label={t('methods')}
              options={methods.map((method) => ({ value: method, label: method }))}
              value={form.methods}
              isDisabled={isReadOnly}
              onChange={(chosen) => set({ methods: chosen })}
            />
            <TagsInput
              label={t('targets')}
              description={t('targetsHint')}
              placeholder={form.targets.length === 0 ? 'http://10.0.0.5:3000' : ''}
              acceptValueOnBlur
              readOnly={isReadOnly}
              value={[...form.targets]}
              onChange={(targets) => set({ targets })}
            />
            <Chip
              checked={form.scope === 'public'}
              disabled={isReadOnly}
              onChange={(isPublic) => set({ scope: isPublic ? 'public' : 'protected' })}
            >
              {t('public')}
            </Chip>
            <RecordsField
              form={form}
              isReadOnly={isReadOnly}
              onChange={(conditions) => set({ conditions })}
            />
            <CodeEditor
              label={t('moreKeys')}
              description={t('moreHint')}
              language="json"
              isReadOnly={isReadOnly}
              value={form.more}
              onChange={(more) => set({ more })}
            />
            {error === null ? null : <FailureAlert error={error} />}
            <SaveBar {...props} />
          </Stack>
        </Section>
      </LockedInputs>
    </form>
  )
}

interface RecordsFieldProps {
  readonly form: RouteForm
  readonly isReadOnly: boolean
  readonly onChange: (conditions: EditedConditions) => void
}

/** Which records and fields the route opens; what it has stays in view where it may have none. */
function RecordsField({ form, isReadOnly, onChange }: RecordsFieldProps) {
  const { t } = useTranslation('routes')
  const { conditions, path } = form
  const hasSome = conditionsOf(conditions) !== undefined || conditions.unread !== undefined
  if (!mayHaveConditions(form) && !hasSome) return null
  if (isReadOnly) return <ConditionsLine conditions={conditions} />
  return <ConditionsEditor conditions={conditions} owner={t('owner')} paths={path} onChange={onChange} />
}

function SaveBar({ call, isReadOnly, isBusy, form }: RouteFieldsProps) {
  const { t } = useTranslation('routes')
  const body = bodyOf(form)
  return (
    <Group>
      {isReadOnly ? null : (
        <Button type="submit" loading={isBusy} disabled={form.conditions.unread !== undefined}>
          {t('save')}
        </Button>
      )}
      {body === undefined ? null : (
        <ShowAsButton
          call={{ ...call, body }}
          command={`gatehouse route ${call.method === 'POST' ? 'create' : 'update'} ${form.name} -f route.yaml`}
          file={{ routes: [body] }}
        />
      )}
    </Group>
  )
}

function bodyOf(form: RouteForm) {
  try {
    return routeOf(form)
  } catch {
    return undefined
  }
}

interface ChipFieldProps {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: readonly string[]
  readonly isDisabled: boolean
  readonly onChange: (value: readonly string[]) => void
}

function ChipField({ label, options, value, isDisabled, onChange }: ChipFieldProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Chip.Group multiple value={[...value]} onChange={onChange}>
        <Group gap="xs" mt={4} role="group" aria-label={label}>
          {options.map((option) => (
            <Chip key={option.value} value={option.value} size="xs" disabled={isDisabled}>
              {option.label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}
