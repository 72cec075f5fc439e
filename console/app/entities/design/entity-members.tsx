import { Group, SimpleGrid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FlagMember, TextMember } from './member-inputs.tsx'
import { NameMember } from './name-member.tsx'

/** What a definition says of the entity as a whole. */
export function EntityMembers({ isNew }: { readonly isNew: boolean }) {
  const { t } = useTranslation('entities')
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NameMember path={[]} label={t('entity.name')} isFocused={isNew} />
        <TextMember path={['category']} label={t('entity.category')} />
        <TextMember
          path={['resource']}
          label={t('entity.resource')}
          placeholder={t('entity.resourceText')}
          isOptional
        />
      </SimpleGrid>
      <Group gap="xl">
        <FlagMember path={['persistence']} label={t('entity.persistence')} otherwise={true} />
        <FlagMember path={['api_generation']} label={t('entity.apiGeneration')} otherwise={true} />
        <FlagMember path={['abstract']} label={t('entity.abstract')} otherwise={false} />
      </Group>
    </Stack>
  )
}
