import { TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Path, valueAt } from '../definition/definition.ts'
import { withValue } from '../definition/edit-definition.ts'
import { useDesign } from './design-context.ts'
import { textOfValue, valueOfText } from './enum-values.ts'

interface EnumMemberProps {
  readonly path: Path
  /** The type of the field. */
  readonly type: string
}

/** The only values that a field may have. */
export function EnumMember({ path, type }: EnumMemberProps) {
  const { t } = useTranslation('entities')
  const { definition, mistakes, isReadOnly, change } = useDesign()
  const found = valueAt(definition, path)
  const values = Array.isArray(found) ? found : []
  const prefix = `/${path.join('/')}`
  const wrong = mistakes.filter(({ pointer }) => pointer === prefix || pointer.startsWith(`${prefix}/`))
  return (
    <TagsInput
      label={t('field.enum')}
      description={t('field.enumText')}
      error={wrong.length === 0 ? undefined : wrong.map(({ detail }) => detail).join(' ')}
      readOnly={isReadOnly}
      value={values.map(textOfValue)}
      splitChars={[]}
      acceptValueOnBlur
      onChange={(texts) => {
        const next = [...new Set(texts)].map((text) => valueOfText(text, type))
        change(path, (old) => withValue(old, path, next.length === 0 ? undefined : next))
      }}
    />
  )
}
