import { createHash } from 'node:crypto'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import type { AccountStore } from '../accounts/account.ts'
import { createContext, resolveSettings } from './core/context.ts'
import { ec2Owner } from './core/model.ts'
import type { Ec2State } from './core/state.ts'
import { tablesOf } from './core/tables/tables.ts'
import type { ImageToAdd } from './images/image-to-add.ts'
import { newImage } from './images/new-image.ts'
import { setSupply } from './instances/types/supply.ts'
import { createServiceInterface, type ServiceInterface } from './network-interfaces.ts'
import type { Supply } from './rows/compute.ts'
import type { GatewayFailure, Ipv6BlockFailure } from './rows/network.ts'
import { newGroup } from './security-groups/new-group.ts'
import { newSubnet } from './subnets/new-subnet.ts'
import { newVpc } from './vpcs/new-vpc.ts'

type Ec2Account = Pick<AccountStore, 'id' | 'state'>

const stateOf = (account: Ec2Account, region: string): Ec2State => account.state(ec2Owner, region)

/**
 * Adds an image to an account without a call, so the call log stays empty.
 *
 * @example addImage(aws.account(), 'eu-west-1', { id: 'ami-0aaaaaaaaaaaaaaa1', name: 'test', architecture: 'x86_64' })
 */
export const addImage = (account: Ec2Account, region: string, image: ImageToAdd): void => {
  const scope = {
    state: stateOf(account, region),
    region,
    accountId: account.id,
    // An early time, so that the image exists before any instance of it.
    clock: virtualClock(Date.parse('2026-01-01T00:00:00Z')),
    newId: () => '',
  }
  newImage(createContext(scope, resolveSettings({})), image)
}

export interface NetworkToAdd {
  /** The tag Name of the VPC. */
  readonly name: string
  readonly cidr: string
  /** Is created in the first zone of the region. */
  readonly subnet: { readonly name: string; readonly cidr: string }
  readonly group: { readonly name: string; readonly description: string }
}

/**
 * Adds a VPC with a subnet and a security group to an account without a call. Does nothing if a subnet of that name
 * exists. Instances in the VPC have public names.
 */
export const addNetwork = (account: Ec2Account, region: string, network: NetworkToAdd): void => {
  let count = 0
  const scope = {
    state: stateOf(account, region),
    region,
    accountId: account.id,
    // An early time, so that the network exists before its instances.
    clock: virtualClock(Date.parse('2026-01-01T00:00:00Z')),
    newId: (length: number) =>
      createHash('sha256').update(`${network.name} ${count++}`).digest('hex').slice(0, length),
  }
  const ec2 = createContext(scope, resolveSettings({}))
  const { name, cidr, subnet, group } = network
  const tagged = (Value: string) => [{ Key: 'Name', Value }]
  if (ec2.tables.subnets.all().some(({ tags }) => tags.some(({ Value }) => Value === subnet.name))) return
  const vpc = newVpc(ec2, { cidr, tenancy: 'default', tags: tagged(name), ipv6: undefined })
  ec2.tables.vpcs.put({ ...vpc, dnsHostnames: true })
  newSubnet(ec2, {
    vpcId: vpc.id,
    zone: `${region}a`,
    cidr: subnet.cidr,
    ipv6: undefined,
    ipv6Native: false,
    tags: tagged(subnet.name),
  })
  newGroup(ec2, vpc, { ...group, tags: tagged(group.name) })
}

/** Adds an interface that a service holds in a subnet, without a call. Returns its id. */
export const addServiceInterface = (
  account: Ec2Account,
  region: string,
  wanted: ServiceInterface,
): string => {
  const state = stateOf(account, region)
  const scope = {
    state,
    region,
    accountId: account.id,
    clock: virtualClock(Date.parse('2026-01-01T00:00:00Z')),
    newId: (length: number) =>
      createHash('sha256').update(`${wanted.description} ${state.sequence}`).digest('hex').slice(0, length),
  }
  return createServiceInterface(createContext(scope, resolveSettings({})), wanted).id
}

/** Sets the ranges that a VPN gateway has learned from its VPN connections, without a call. */
export const setLearnedRanges = (
  account: Ec2Account,
  region: string,
  gatewayId: string,
  learned: readonly string[],
): void => {
  const { vpnGateways } = tablesOf(stateOf(account, region))
  const row = vpnGateways.get(gatewayId)
  if (row !== undefined) vpnGateways.put({ ...row, learned })
}

/** Adds a pool of IPv6 addresses: `addIpamPool(account, 'eu-west-1', 'ipam-pool-1', '2001:db8::/48')`. */
export const addIpamPool = (account: Ec2Account, region: string, id: string, cidr: string): void => {
  stateOf(account, region).ipamPools[id] = { cidr }
}

/**
 * Makes the next NAT gateways of a region fail, each with one of these failures, in order of creation (codes and texts:
 * `NatGateway`, EC2 API reference).
 */
export const failNatGateways = (
  account: Ec2Account,
  region: string,
  failures: readonly GatewayFailure[],
): void => {
  stateOf(account, region).natGatewayFailures.push(...failures)
}

/**
 * Makes the next IPv6 blocks of VPCs or subnets of a region end in state `failed`, each with one of these messages.
 *
 * @example failIpv6Blocks(aws.account(), 'eu-west-1', [{ of: 'subnet', message: 'The range is not available.' }])
 */
export const failIpv6Blocks = (
  account: Ec2Account,
  region: string,
  failures: readonly Ipv6BlockFailure[],
): void => {
  const state = stateOf(account, region)
  state.ipv6BlockFailures = [...(state.ipv6BlockFailures ?? []), ...failures]
}

/**
 * Sets an instance type in a zone to exhausted or not offered; `undefined` resets it.
 *
 * @example setInstanceSupply(aws.account(), 'eu-west-1', { instanceType: 'm5.large', zone: 'eu-west-1a' }, 'exhausted')
 */
export const setInstanceSupply = (
  account: Ec2Account,
  region: string,
  what: { readonly instanceType: string; readonly zone: string },
  supply: Supply | undefined,
): void => setSupply(stateOf(account, region).supplies, what, supply)

/**
 * Returns the power state of an instance without a call. `on` includes a starting instance; `gone` means terminated or
 * unknown.
 */
export const instancePower = (account: Ec2Account, region: string, id: string): 'on' | 'off' | 'gone' => {
  const row = tablesOf(stateOf(account, region)).instances.get(id)
  if (row === undefined || row.terminatedAt !== undefined) return 'gone'
  return row.stoppedAt === undefined ? 'on' : 'off'
}
