import type { VPC } from '@aws-sdk/client-route-53'
import type { AccountStore } from '../accounts/account.ts'
import { isProblem, parseName } from './name.ts'
import { route53Model } from './service.ts'
import { emptyState, type Route53State, type Zone } from './state.ts'
import { createZone } from './zones/new-zone.ts'

type ZoneAccount = Pick<AccountStore, 'state'>

const stateOf = (account: ZoneAccount): Route53State =>
  account.state({ model: route53Model, scope: 'global', createState: emptyState }, 'us-east-1')

export interface ZoneToAdd {
  /** `example.com`, with or without the trailing dot. */
  readonly name: string
  /** `Z…`; unique in the simulator. */
  readonly id: string
  /** If set, the zone is private. */
  readonly vpcs?: readonly VPC[]
}

/**
 * Adds a hosted zone to an account without a call, so the call log stays empty.
 *
 * @example addHostedZone(aws.account(), { name: 'example.com', id: 'Z0EXAMPLE' })
 */
export const addHostedZone = (account: ZoneAccount, { name, id, vpcs = [] }: ZoneToAdd): void => {
  const parsed = parseName(name)
  if (isProblem(parsed)) throw new TypeError(`adding hosted zone ${name}: ${parsed.reason}`)
  stateOf(account).zones.push(createZone({ id, name: parsed.text, callerReference: id, vpcs }))
}

/**
 * Returns a copy of an account's hosted zones and records, without a call.
 *
 * @example
 * const names = hostedZones(aws.account()).map(({ name }) => name)
 */
export const hostedZones = (account: ZoneAccount): readonly Zone[] => structuredClone(stateOf(account).zones)
