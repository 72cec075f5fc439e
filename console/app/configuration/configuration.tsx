import { Badge, Code, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { SimpleTable } from '../components/simple-table.tsx'
import type { Language } from '../language/languages.ts'
import { matchingOptions } from './matching-options.ts'
import { type ConfiguredOption, readOptions } from './read-options.ts'

/** The configuration of the gateway as it is in force, with where each value comes from. */
export function Configuration() {
  const { t, i18n } = useTranslation('configuration')
  const language = i18n.language as Language
  const query = useQuery({
    queryKey: ['configuration', language],
    queryFn: () => readOptions(language),
  })
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <QueryContent query={query}>{(options) => <Options options={options} />}</QueryContent>
    </>
  )
}

function Options({ options }: { readonly options: readonly ConfiguredOption[] }) {
  const { t } = useTranslation('configuration')
  const [words, setWords] = useState('')
  const [isSetOnly, setIsSetOnly] = useState(false)
  const shown = matchingOptions(options, words, isSetOnly)
  return (
    <Stack>
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={16} />}
        maw="24rem"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <Switch
        label={t('setOnly')}
        checked={isSetOnly}
        onChange={(event) => setIsSetOnly(event.currentTarget.checked)}
      />
      <Text size="sm" role="status">
        {t('count', { shown: shown.length, all: options.length })}
      </Text>
      <SimpleTable
        label={t('title')}
        rows={shown}
        keyOf={({ key }) => key}
        columns={[
          {
            key: 'key',
            title: t('key'),
            isHeading: true,
            show: (option) => <OptionName option={option} />,
          },
          { key: 'value', title: t('value'), show: (option) => <OptionValue option={option} /> },
        ]}
      />
    </Stack>
  )
}

function OptionName({ option: { key, description } }: { readonly option: ConfiguredOption }) {
  return (
    <Stack gap={2} maw="36rem">
      <Code w="fit-content" style={{ overflowWrap: 'anywhere' }}>
        {key}
      </Code>
      <Text size="sm" c="dimmed">
        {description}
      </Text>
    </Stack>
  )
}

function OptionValue({
  option: { value, source, origin, otherwise },
}: {
  readonly option: ConfiguredOption
}) {
  const { t } = useTranslation('configuration')
  return (
    <Stack gap={4} align="flex-start">
      {value === null ? (
        <Text size="sm" c="dimmed">
          {otherwise ?? t('none')}
        </Text>
      ) : (
        <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
      )}
      {source === null || source === 'default' ? null : (
        <Badge
          variant="default"
          tt="none"
          miw={0}
          h="auto"
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
        >
          {t(`sources.${source}`)} {origin}
        </Badge>
      )}
    </Stack>
  )
}
