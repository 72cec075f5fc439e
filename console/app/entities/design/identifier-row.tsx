import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOf, isObject, valueAt } from '../definition/definition.ts'
import { withValue } from '../definition/edit-definition.ts'
import { useDesign } from './design-context.ts'
import { FieldRow } from './field-row.tsx'

const path = ['attributes', 'identifier']

/** The field that identifies records. */
export function IdentifierRow() {
  const { t } = useTranslation('entities')
  const { definition, isReadOnly, change } = useDesign()
  const [isOpen, setIsOpen] = useState(false)
  const identifier = fieldsOf(definition).find(({ kind }) => kind === 'identifier')
  const key = valueAt(definition, ['adopted', 'key'])
  const add = () =>
    change('moved', (old) =>
      withValue(old, path, { field_name: 'id', field_type: 'string', field_immutable: true }),
    )
  return (
    <Stack gap="xs" component="section" aria-label={t('design.identifier')}>
      <Title order={2} size="h4">
        {t('design.identifier')}
      </Title>
      {identifier === undefined ? (
        <>
          <Text size="sm" c="dimmed">
            {Array.isArray(key) ? t('design.key', { fields: key.join(', ') }) : t('design.identifierNone')}
          </Text>
          {isReadOnly || isObject(definition.adopted) ? null : (
            <Group>
              <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
                {t('design.identifierAdd')}
              </Button>
            </Group>
          )}
        </>
      ) : (
        <Paper withBorder>
          <FieldRow field={identifier} isOpen={isOpen} isNew={false} onToggle={() => setIsOpen(!isOpen)} />
        </Paper>
      )}
    </Stack>
  )
}
