import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { fieldTypes, identifierTypes, type PlacedField, textAt } from '../definition/definition.ts'
import { EnumMember } from './enum-member.tsx'
import { ChoiceMember, FlagMember, TextMember } from './member-inputs.tsx'
import { NameMember } from './name-member.tsx'
import { ReferenceMembers } from './reference-members.tsx'

interface FieldMembersProps {
  readonly field: PlacedField
  /** Whether the field was just added. */
  readonly isNew: boolean
}

/** Everything that a definition says of a field. */
export function FieldMembers({ field: { kind, path, type, value }, isNew }: FieldMembersProps) {
  const { t } = useTranslation('entities')
  const at = (member: string) => [...path, member]
  const column = textAt(value, ['field_column'])
  return (
    <Stack gap="sm">
      {kind === 'reference' ? <ReferenceMembers path={path} isFocused={isNew} /> : null}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NameMember path={path} label={t('field.name')} isFocused={isNew && kind !== 'reference'} />
        <ChoiceMember
          path={at('field_type')}
          label={t('field.type')}
          choices={kind === 'identifier' ? identifierTypes : fieldTypes}
        />
      </SimpleGrid>
      <Group gap="xl">
        {kind === 'identifier' ? null : (
          <FlagMember path={at('field_nullable')} label={t('field.nullable')} otherwise={true} />
        )}
        {kind === 'identifier' ? null : (
          <FlagMember path={at('field_unique')} label={t('field.unique')} otherwise={false} />
        )}
        <FlagMember path={at('field_immutable')} label={t('field.immutable')} otherwise={false} />
        <FlagMember path={at('field_persistence')} label={t('field.persistence')} otherwise={true} />
      </Group>
      {kind === 'identifier' ? null : (
        <TextMember
          path={at('field_default')}
          label={t('field.default')}
          description={t('field.defaultText')}
          isOptional
        />
      )}
      {kind === 'local' ? <EnumMember path={at('field_enum')} type={type} /> : null}
      {column === '' ? null : (
        <Text size="sm" c="dimmed">
          {t('field.column', { column })}
        </Text>
      )}
    </Stack>
  )
}
