import { virtualClock } from '../../../shared/clock/clock.ts'
import type { AccountStore } from '../accounts/account.ts'
import { createContext, resolveSettings } from './core/context.ts'
import { ec2Owner } from './core/model.ts'
import type { Ec2State } from './core/state.ts'
import type { ImageToAdd } from './images/image-to-add.ts'
import { newImage } from './images/new-image.ts'
import { setSupply } from './instances/types/supply.ts'
import type { Supply } from './rows/compute.ts'
import type { GatewayFailure } from './rows/network.ts'

type Ec2Account = Pick<AccountStore, 'id' | 'state'>

const stateOf = (account: Ec2Account, region: string): Ec2State => account.state(ec2Owner, region)

/**
 * Gives an account an image without a call, so that the call log stays empty.
 *
 * @example
 * addImage(aws.account(), 'eu-west-1', { id: 'ami-0aaaaaaaaaaaaaaa1', name: 'test', architecture: 'x86_64' })
 */
export const addImage = (account: Ec2Account, region: string, image: ImageToAdd): void => {
  const scope = {
    state: stateOf(account, region),
    region,
    accountId: account.id,
    // An image is there before whatever is started from it.
    clock: virtualClock(Date.parse('2026-01-01T00:00:00Z')),
    newId: () => '',
  }
  newImage(createContext(scope, resolveSettings({})), image)
}

/** Makes a snapshot known, of a size in GiB. */
export const addSnapshot = (account: Ec2Account, region: string, id: string, size: number): void => {
  stateOf(account, region).snapshots[id] = { size }
}

/** Makes a pool of IPv6 addresses known: `addIpamPool(account, 'eu-west-1', 'ipam-pool-1', '2001:db8::/48')`. */
export const addIpamPool = (account: Ec2Account, region: string, id: string, cidr: string): void => {
  stateOf(account, region).ipamPools[id] = { cidr }
}

/** Makes the id of a placement group, a dedicated host or a capacity reservation known. */
export const addReference = (account: Ec2Account, region: string, id: string): void => {
  stateOf(account, region).references[id] = true
}

/**
 * Lets the next NAT gateways of a region fail, each with one of these, in the order in which they are made
 * (codes and texts: `NatGateway`, EC2 API reference).
 */
export const failNatGateways = (
  account: Ec2Account,
  region: string,
  failures: readonly GatewayFailure[],
): void => {
  stateOf(account, region).natGatewayFailures.push(...failures)
}

/**
 * Lets a region run out of an instance type in a zone, or never have had it there; `undefined` brings it back.
 *
 * @example
 * setInstanceSupply(aws.account(), 'eu-west-1', { instanceType: 'm5.large', zone: 'eu-west-1a' }, 'exhausted')
 */
export const setInstanceSupply = (
  account: Ec2Account,
  region: string,
  what: { readonly instanceType: string; readonly zone: string },
  supply: Supply | undefined,
): void => setSupply(stateOf(account, region).supplies, what, supply)
