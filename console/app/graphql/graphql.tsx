import { Box } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { readStart } from '../../graphql-editor/first-query.ts'
import { runGraphql } from '../api/graphql.ts'
import { lazily } from '../components/lazily.tsx'
import { Loading } from '../components/loading.tsx'
import { QueryContent } from '../components/query-content.tsx'
import classes from './graphql.module.css'

const Editor = lazily(async () => (await import('./editor.tsx')).Editor)

/** GraphiQL on the schema that the account may see, with a first query of one of its tables. */
export function Graphql() {
  const { t } = useTranslation('graphql')
  useDocumentTitle(`${t('title')} · Gatehouse`)
  const query = useQuery({
    queryKey: ['graphql', 'start'],
    queryFn: () => readStart(runGraphql),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Box className={classes.page ?? ''}>
      <QueryContent query={query}>
        {(start) => (
          <Suspense fallback={<Loading />}>
            <Editor start={start} />
          </Suspense>
        )}
      </QueryContent>
    </Box>
  )
}
