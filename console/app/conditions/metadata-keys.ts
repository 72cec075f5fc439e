import { useQuery } from '@tanstack/react-query'
import { useIsAllowed } from '../api/access.ts'
import { gateway } from '../api/gateway.ts'
import { pageOf } from '../api/list-page.ts'
import { accountsKey } from '../api/records.ts'

const mostAccounts = 100
const mostKeys = 50

/** Keys in the metadata of some accounts, to offer them; none to those who may not list accounts. */
export function useMetadataKeys(): readonly string[] {
  const mayList = useIsAllowed('GET', '/manage/accounts')
  const { data = [] } = useQuery({
    queryKey: [...accountsKey, 'metadata keys'],
    queryFn: async () => {
      const query = { limit: mostAccounts }
      const { items } = await pageOf(gateway.GET('/manage/accounts', { params: { query } }))
      const keys = new Set(items.flatMap(({ metadata }) => Object.keys(metadata)))
      return [...keys].toSorted().slice(0, mostKeys)
    },
    enabled: mayList,
    staleTime: 60_000,
  })
  return data
}
