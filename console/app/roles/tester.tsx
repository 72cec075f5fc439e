import { Autocomplete, Button, Group, NativeSelect, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Loading } from '../components/loading.tsx'
import { Section } from '../components/section.tsx'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { UsernameInput } from '../components/username-input.tsx'
import { useKnownPaths } from './known-paths.ts'
import { RecordInput } from './record-input.tsx'
import { type Authority, methods } from './role-draft.ts'
import { explainQuery, isOfRecords, queryOfCall, type TestedCall } from './tester-query.ts'
import { TesterResult } from './tester-result.tsx'

interface TesterProps {
  /** The account that is chosen first. */
  readonly account?: string
  /** The role that is edited beside it. */
  readonly role?: string
  /** Adds an authority to that role; absent where none is edited. */
  readonly onAdd?: (authority: Authority) => void
}

/** Says whether an account may make a call, and why. */
export function Tester({ account = '', role, onAdd }: TesterProps) {
  const { t } = useTranslation('roles')
  const [call, setCall] = useState<TestedCall>({ account, method: 'GET', path: '/', row: '' })
  const [asked, setAsked] = useState<TestedCall>()
  const answer = useQuery(explainQuery(asked))
  const [text] = useDebouncedValue(call.path, 200)
  const known = useKnownPaths(text === '/' ? '' : text)
  const change = (part: Partial<TestedCall>) => setCall({ ...call, ...part })
  return (
    <Section title={t('tester.title')} description={t('tester.description')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(call)
        }}
      >
        <Stack gap="sm">
          <UsernameInput
            label={t('tester.account')}
            value={call.account}
            isRequired
            onChange={(username) => change({ account: username })}
          />
          <Group wrap="nowrap" align="flex-end" gap="xs">
            <NativeSelect
              label={t('tester.method')}
              data={[...methods]}
              value={call.method}
              onChange={(event) => change({ method: event.currentTarget.value })}
            />
            <Autocomplete
              flex={1}
              label={t('tester.path')}
              value={call.path}
              required
              data={[...new Set(known.map(({ path }) => path))]}
              filter={({ options }) => options}
              maxDropdownHeight={320}
              onChange={(path) => change({ path })}
            />
          </Group>
          {/* At once: what comes later moves what someone is about to click. */}
          {isOfRecords(call.path) ? (
            <RecordInput path={text} value={call.row} onChange={(row) => change({ row })} />
          ) : null}
          <Group>
            <Button type="submit" variant="default" loading={answer.isFetching}>
              {t('tester.button')}
            </Button>
            <ShowAsButton {...shownAs(call)} />
          </Group>
        </Stack>
      </form>
      {answer.error === null ? null : <FailureAlert error={answer.error} />}
      {answer.isLoading ? <Loading /> : null}
      {answer.data === undefined || asked === undefined ? null : (
        <TesterResult
          call={asked}
          explanation={answer.data}
          {...(role === undefined ? {} : { role })}
          {...(onAdd === undefined ? {} : { onAdd })}
        />
      )}
    </Section>
  )
}

function shownAs(call: TestedCall) {
  const query = queryOfCall(call)
  const { account, method, path, row } = query
  const flags = row === undefined ? '' : ` --row ${quoted(row)}`
  return {
    call: { method: 'GET', path: `/manage/explain-access?${new URLSearchParams(query)}` },
    command: `gatehouse explain-access ${quoted(account)} ${method} ${quoted(path)}${flags}`,
  }
}
