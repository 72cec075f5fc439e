import { Button, Group, NumberInput, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { dataOf, gateway } from '../api/gateway.ts'
import { accountsKey } from '../api/records.ts'
import { CodeEditor } from '../components/code-editor.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { LeaveGuard } from '../components/leave-guard.tsx'
import { LockedInputs } from '../components/locked-inputs.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { RestoredNotice } from '../components/restored-notice.tsx'
import { RoleNamesInput } from '../components/role-names-input.tsx'
import { Section } from '../components/section.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { useKeptForm } from '../components/use-kept-form.ts'
import { commandOf, contentOf, makePassword, type NewAccountForm, objectIn } from './account-form.ts'
import { accountPath } from './account-path.ts'

const empty: NewAccountForm = { username: '', password: '', roles: [], expireDays: undefined, metadata: '' }

interface Made {
  readonly username: string
  readonly apiKey: string
  /** Undefined if it was typed. */
  readonly password: string | undefined
}

/** Creates an account, and shows its API key and a generated password once. */
export function NewAccount() {
  const { t } = useTranslation('accounts')
  const client = useQueryClient()
  const kept = useKeptForm<NewAccountForm>()
  const [form, setForm] = useState(kept.restored ?? empty)
  const create = useMutation({
    async mutationFn(form: NewAccountForm): Promise<Made> {
      const password = form.password === '' ? makePassword() : form.password
      const made = await dataOf(gateway.POST('/manage/accounts', { body: { ...contentOf(form), password } }))
      const { username, api_key: apiKey } = made
      return { username, apiKey, password: form.password === '' ? password : undefined }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: accountsKey }),
  })
  const isEntered = create.data === undefined && JSON.stringify(form) !== JSON.stringify(empty)
  // A password does not stay in the browser.
  kept.hold(isEntered ? { ...form, password: '' } : undefined)
  return (
    <>
      <PageHeader title={t('create')} description={t('createDescription')} />
      <LeaveGuard isChanged={isEntered} />
      {isEntered && kept.restored !== undefined ? <RestoredNotice /> : null}
      {create.data === undefined ? (
        <AccountForm
          form={form}
          error={create.error}
          isBusy={create.isPending}
          onChange={setForm}
          onSubmit={() => create.mutate(form)}
        />
      ) : (
        <MadeAccount
          made={create.data}
          onAgain={() => {
            setForm(empty)
            create.reset()
          }}
        />
      )}
    </>
  )
}

interface AccountFormProps {
  readonly form: NewAccountForm
  readonly error: unknown
  readonly isBusy: boolean
  readonly onChange: (form: NewAccountForm) => void
  readonly onSubmit: () => void
}

function AccountForm({ form, error, isBusy, onChange, onSubmit }: AccountFormProps) {
  const { t } = useTranslation('accounts')
  const change = (part: Partial<NewAccountForm>) => onChange({ ...form, ...part })
  const isObject = objectIn(form.metadata) !== undefined
  const content = contentOf(form)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isObject) onSubmit()
      }}
    >
      <LockedInputs isLocked={isBusy}>
        <Stack maw="40rem">
          <TextInput
            label={t('username')}
            value={form.username}
            autoComplete="off"
            maxLength={200}
            required
            onChange={(event) => change({ username: event.currentTarget.value })}
          />
          <PasswordInput
            label={t('password.title')}
            description={t('password.generated')}
            value={form.password}
            autoComplete="new-password"
            onChange={(event) => change({ password: event.currentTarget.value })}
          />
          <RoleNamesInput
            label={t('roles.title')}
            value={form.roles}
            isRequired
            onChange={(roles) => change({ roles })}
          />
          <NumberInput
            label={t('expiry.days')}
            description={t('expiry.daysHint')}
            value={form.expireDays ?? ''}
            min={1}
            max={36_500}
            allowDecimal={false}
            onChange={(days) => change({ expireDays: days === '' ? undefined : Number(days) })}
          />
          <CodeEditor
            label={t('metadata.title')}
            description={t('metadata.description')}
            language="json"
            value={form.metadata}
            error={isObject ? undefined : t('metadata.wrong')}
            onChange={(metadata) => change({ metadata })}
          />
          {error === null ? null : <FailureAlert error={error} />}
          <Group>
            <Button type="submit" loading={isBusy} disabled={!isObject}>
              {t('create')}
            </Button>
            <ShowAsButton
              call={{ method: 'POST', path: '/manage/accounts', body: { ...content, password: '…' } }}
              command={commandOf(form)}
              file={{ accounts: [content] }}
            />
          </Group>
        </Stack>
      </LockedInputs>
    </form>
  )
}

function MadeAccount({ made, onAgain }: { readonly made: Made; readonly onAgain: () => void }) {
  const { t } = useTranslation('accounts')
  const { username, apiKey, password } = made
  return (
    <Section title={t('made.title', { username })} description={t('made.description')}>
      <ShownOnce title={t('made.key')} secret={apiKey} />
      {password === undefined ? null : <ShownOnce title={t('made.password')} secret={password} />}
      <Group>
        <Button component={Link} to={accountPath(username)}>
          {t('made.open')}
        </Button>
        <Button variant="default" onClick={onAgain}>
          {t('made.again')}
        </Button>
      </Group>
    </Section>
  )
}
