import { Button, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Account } from '../api/records.ts'
import { CodeEditor } from '../components/code-editor.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { LeaveGuard } from '../components/leave-guard.tsx'
import { NewerVersion } from '../components/newer-version.tsx'
import { RestoredNotice } from '../components/restored-notice.tsx'
import { RoleNamesInput } from '../components/role-names-input.tsx'
import { Section } from '../components/section.tsx'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { accountCallPath } from './account-calls.ts'
import { type AccountEdit, commandOfChange, membersOf } from './account-change.ts'
import { objectIn } from './account-form.ts'
import { useEditedAccount } from './use-edited-account.ts'

interface AccountSettingsProps {
  readonly account: Account
  readonly isReadOnly: boolean
}

/** The roles, the end and the metadata of an account. */
export function AccountSettings({ account, isReadOnly }: AccountSettingsProps) {
  const { t } = useTranslation('accounts')
  const { username } = account
  const edited = useEditedAccount(account)
  const { base, edit, change, newer, error, update, save } = edited
  const isObject = objectIn(edit.metadata) !== undefined
  const hasChange = Object.keys(change).length > 0
  return (
    <Section title={t('settings')}>
      <LeaveGuard isChanged={edited.isChanged} />
      {edited.isRestored ? <RestoredNotice /> : null}
      {newer === undefined ? null : (
        <NewerVersion
          from={membersOf(base, change)}
          to={membersOf(newer, change)}
          onLoad={edited.load}
          onSave={() => save(newer)}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isObject && hasChange) save(base)
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
          {error === null ? null : <FailureAlert error={error} />}
          {isReadOnly ? null : (
            <Group>
              <Button type="submit" loading={edited.isSaving} disabled={!isObject || !hasChange}>
                {t('save')}
              </Button>
              <ShowAsButton
                call={{ method: 'PATCH', path: accountCallPath(username), body: change }}
                {...(hasChange ? { command: commandOfChange(username, change) } : {})}
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
