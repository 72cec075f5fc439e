import { List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SimpleTable } from '../../components/simple-table.tsx'
import { fieldsOf, textAt } from '../definition/definition.ts'
import { countMistakes, type Mistake } from '../definition/mistakes.ts'
import type { DefinitionInFile } from '../definition/read-definitions.ts'

interface FoundDefinitionsProps {
  readonly definitions: readonly DefinitionInFile[]
  /** By pointers into the list of definitions. */
  readonly mistakes: readonly Mistake[]
}

/** The most definitions that are listed; wrong ones come first. */
const mostListed = 100

/** The definitions of an upload, with what is wrong in them. */
export function FoundDefinitions({ definitions, mistakes }: FoundDefinitionsProps) {
  const { t } = useTranslation('entities')
  const rows = definitions.map((found, index) => ({
    ...found,
    index,
    wrong: countMistakes(mistakes, [index]),
  }))
  const sorted = [...rows].sort((a, b) => Number(b.wrong > 0) - Number(a.wrong > 0))
  return (
    <Stack gap="xs">
      <Text fw={500}>{t('upload.found', { count: definitions.length })}</Text>
      <SimpleTable
        label={t('upload.found', { count: definitions.length })}
        rows={sorted.slice(0, mostListed)}
        keyOf={({ index }) => `${index}`}
        columns={[
          {
            key: 'name',
            title: t('entity.name'),
            isHeading: true,
            show: ({ definition, index }) => (
              <Stack gap={2}>
                <bdi>{textAt(definition, ['name']) || t('field.unnamed')}</bdi>
                <MistakesOf index={index} mistakes={mistakes} />
              </Stack>
            ),
          },
          {
            key: 'fields',
            title: t('upload.fields'),
            show: ({ definition }) => fieldsOf(definition).length,
          },
          {
            key: 'file',
            title: t('upload.file'),
            isExtra: true,
            show: ({ file }) => file || t('upload.typed'),
          },
        ]}
      />
      {definitions.length > mostListed ? (
        <Text size="sm" c="dimmed">
          {t('plan.more', { count: definitions.length - mostListed })}
        </Text>
      ) : null}
    </Stack>
  )
}

function MistakesOf({ index, mistakes }: { readonly index: number; readonly mistakes: readonly Mistake[] }) {
  const prefix = `/${index}`
  const own = mistakes.filter(({ pointer }) => `${pointer}/`.startsWith(`${prefix}/`))
  if (own.length === 0) return null
  return (
    <List size="sm" c="var(--mantine-color-error)">
      {own.map(({ pointer, detail }) => (
        <List.Item key={pointer + detail}>
          <code>{pointer.slice(prefix.length)}</code> {detail}
        </List.Item>
      ))}
    </List>
  )
}
