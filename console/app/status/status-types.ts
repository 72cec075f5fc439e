import type { components } from '../api/gateway-api.d.ts'

/** The response of `GET /manage/status`. */
export type GatewayStatus = components['schemas']['Status']

/** What happened in the last minutes, in steps. */
export type Activity = GatewayStatus['activity']
