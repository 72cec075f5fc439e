/** API keys and tokens, as an account and its administrators see them. */
import * as v from 'valibot'
import { apiKeySchema } from '../../access/authentication/api-key.ts'
import { count, text, time } from './operation.ts'

/** An API key itself. */
export const newApiKey = text('The API key; it is shown only now.')

const entries = {
  name: v.string(),
  prefix: v.nullable(text('How the key begins; null if the gateway did not make it.', 'ghk_4cd2')),
  created: time('When it was created.'),
  expires_at: v.nullable(time('When it expires; null if it does not.')),
  last_used: v.nullable(time('When it was last used, to the minute; null if never.')),
}

/** An API key as it is shown. */
export const apiKey = v.object(entries)

/** The same when it is created. */
export const createdApiKey = v.object({ ...entries, api_key: newApiKey })

/** What a new API key is made of. The time matters only for checks. */
export const apiKeyToCreate = apiKeySchema(new Date(0), {})

/** How many tokens were ended. */
export const endedTokens = v.object({ ended: count('How many tokens were ended.') })
