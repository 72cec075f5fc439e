import { Anchor, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useRight } from '../../api/access.ts'
import { Loading } from '../../components/loading.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { entityPath } from '../entity-paths.ts'
import { entityQuery, forgetEntity, versionQuery } from '../entity-queries.ts'
import { Notice } from '../notice.tsx'
import { Designer } from './designer.tsx'

/** The design of a stored entity; with an older version in it, if the address names one. */
export function DesignTab({ name }: { readonly name: string }) {
  const [search] = useSearchParams()
  const version = Number(search.get('version') ?? '')
  return Number.isSafeInteger(version) && version > 0 ? (
    <RestoredDesign name={name} version={version} />
  ) : (
    <StoredDesign name={name} />
  )
}

/** Goes to the entity after an upload, which may have renamed it. */
function useAfterUpload(name: string): (now: string) => void {
  const navigate = useNavigate()
  const client = useQueryClient()
  return (now) => {
    void navigate(entityPath(now))
    if (now !== name) forgetEntity(client, name)
  }
}

function StoredDesign({ name }: { readonly name: string }) {
  const onDone = useAfterUpload(name)
  const query = useQuery(entityQuery(name))
  const mayUpload = useRight('POST', '/manage/entities')
  return (
    <QueryContent query={query}>
      {({ definition, changed_at }) =>
        mayUpload === undefined ? (
          <Loading />
        ) : (
          <Designer
            initial={definition}
            stored={definition}
            changedAt={changed_at}
            isReadOnly={!mayUpload}
            onDone={onDone}
          />
        )
      }
    </QueryContent>
  )
}

interface RestoredDesignProps {
  readonly name: string
  readonly version: number
}

function RestoredDesign({ name, version }: RestoredDesignProps) {
  const { t } = useTranslation('entities')
  const onDone = useAfterUpload(name)
  const stored = useQuery(entityQuery(name))
  const wanted = useQuery(versionQuery(name, version))
  const mayUpload = useRight('POST', '/manage/entities')
  return (
    <>
      <Notice kind="info" title={t('versions.inDesign', { version })}>
        <Text size="sm">{t('versions.inDesignText')}</Text>
        <Anchor component={Link} to={entityPath(name)} size="sm">
          {t('versions.leaveDesign')}
        </Anchor>
      </Notice>
      <QueryContent query={wanted}>
        {({ definition }) => (
          <QueryContent query={stored}>
            {(entity) =>
              mayUpload === undefined ? (
                <Loading />
              ) : (
                <Designer
                  key={version}
                  initial={definition ?? entity.definition}
                  stored={entity.definition}
                  changedAt={entity.changed_at}
                  isReadOnly={!mayUpload}
                  onDone={onDone}
                />
              )
            }
          </QueryContent>
        )}
      </QueryContent>
    </>
  )
}
