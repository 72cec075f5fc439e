import './graphiql.css'
import { useComputedColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EditorStart } from '../../graphql-editor/first-query.ts'
import { type EditorTexts, GraphqlEditor } from '../../graphql-editor/graphql-editor.tsx'
import { useAllowed } from '../api/access.ts'
import { useSession } from '../shell/session-gate.tsx'
import { runOperation } from './run-operation.ts'

/** GraphiQL as the console shows it. */
export function Editor({ start }: { readonly start: EditorStart }) {
  const { i18n } = useTranslation('graphql')
  const { account } = useSession()
  const [mayExplain = false] = useAllowed([{ method: 'GET', path: '/manage/explain' }]) ?? []
  return (
    <GraphqlEditor
      account={account.name}
      texts={i18n.getResourceBundle(i18n.language, 'graphql') as EditorTexts}
      run={runOperation}
      start={start}
      mayExplain={mayExplain}
      colorScheme={useComputedColorScheme()}
    />
  )
}
