import { expect, test } from 'vitest'
import { requestTargets } from '../../test/security/request-targets.ts'
import { readRequestTarget } from './request-target.ts'

test.each(requestTargets.map((verdict) => [JSON.stringify(verdict.target), verdict] as const))(
  '%s',
  (_name, verdict) => {
    const reading = readRequestTarget(verdict.target)
    if ('refused' in verdict) expect(reading).toEqual({ refused: expect.any(String) })
    else {
      expect(reading).toEqual({
        path: verdict.path,
        encodedPath: verdict.path.split('/').map(encodeURIComponent).join('/'),
        query: /\?.*$/.exec(verdict.target)?.[0] ?? '',
      })
    }
  },
)
