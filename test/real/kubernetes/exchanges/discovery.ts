import type { Exchange } from '../exchange.ts'
import { apiVersion, get, group } from './requests.ts'

/** The discovery of the server. */
export const discovery: readonly Exchange[] = [
  get('the discovery of the group', `/apis/${group}`),
  get('the discovery of the version', `/apis/${apiVersion}`),
  get('readiness', '/readyz'),
]
