import { Button, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, accountsKey } from '../api/records.ts'
import { CodeEditor } from '../components/code-editor.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { RoleNamesInput } from '../components/role-names-input.tsx'
import { Section } from '../components/section.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { accountCallPath, changeAccount } from './account-calls.ts'
import { type AccountEdit, changeOf, commandOfChange, editOf, reverseOf } from './account-change.ts'
import { objectIn } from './account-form.ts'

interface AccountSettingsProps {
  readonly account: Account
  readonly isReadOnly: boolean
}

/** The roles, the end and the metadata of an account. */
export function AccountSettings({ account, isReadOnly }: AccountSettingsProps) {
  const { t } = useTranslation('accounts')
  const { username } = account
  const [edit, setEdit] = useState(() => editOf(account))
  const save = useSave(account)
  const update = (part: Partial<AccountEdit>) => setEdit({ ...edit, ...part })
  const isObject = objectIn(edit.metadata) !== undefined
  const change = changeOf(account, edit)
  const isChanged = Object.keys(change).length > 0
  return (
    <Section title={t('settings')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isObject && isChanged) save.mutate(change)
        }}
      >
        <Stack>
          <RoleNamesInput
            label={t('roles.title')}
            value={edit.roles}
            isReadOnly={isReadOnly}
            onChange={(roles) => update({ roles })}
          />
          {isReadOnly ? null : <Expiry edit={edit} onChange={update} />}
          <CodeEditor
            label={t('metadata.title')}
            description={t('metadata.description')}
            language="json"
            value={edit.metadata}
            isReadOnly={isReadOnly}
            error={isObject ? undefined : t('metadata.wrong')}
            onChange={(metadata) => update({ metadata })}
          />
          {save.error === null ? null : <FailureAlert error={save.error} />}
          {isReadOnly ? null : (
            <Group>
              <Button type="submit" loading={save.isPending} disabled={!isObject || !isChanged}>
                {t('save')}
              </Button>
              <ShowAsButton
                call={{ method: 'PATCH', path: accountCallPath(username), body: change }}
                {...(isChanged ? { command: commandOfChange(username, change) } : {})}
                file={{ accounts: [{ username, role: account.role, ...change }] }}
              />
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  )
}

interface ExpiryProps {
  readonly edit: AccountEdit
  readonly onChange: (part: Partial<AccountEdit>) => void
}

function Expiry({ edit: { expiry }, onChange }: ExpiryProps) {
  const { t } = useTranslation('accounts')
  return (
    <Stack gap="xs">
      <Switch
        label={t('expiry.expires')}
        checked={expiry !== 'never'}
        onChange={(event) => onChange({ expiry: event.currentTarget.checked ? 'kept' : 'never' })}
      />
      {expiry === 'never' ? null : (
        <NumberInput
          label={t('expiry.newDays')}
          description={t('expiry.newDaysHint')}
          value={typeof expiry === 'number' ? expiry : ''}
          min={1}
          max={36_500}
          allowDecimal={false}
          maw="16rem"
          onChange={(days) => onChange({ expiry: days === '' ? 'kept' : Number(days) })}
        />
      )}
      {expiry === 'kept' ? <Text size="sm">{t('expiry.kept')}</Text> : null}
    </Stack>
  )
}

/** Saves a change, and offers to undo it. */
function useSave(account: Account) {
  const { t } = useTranslation('accounts')
  const { username } = account
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: accountsKey })
  return useMutation({
    mutationFn: (change: ReturnType<typeof changeOf>) => changeAccount(username, change),
    async onSuccess(_, change) {
      const undo = async () => {
        await changeAccount(username, reverseOf(account, change))
        await refresh()
      }
      notifyWithUndo({ message: t('saved', { username }), label: t('undo'), undo })
      await refresh()
    },
  })
}
