import {
  CreateSubnetCidrReservationCommand,
  GetSubnetCidrReservationsCommand,
  type Subnet,
} from '@aws-sdk/client-ec2'
import type { GraphBuilder, Ref, ResourceType, State } from '../../../engine/engine.ts'
import { allPages } from '../all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { Purpose } from '../purpose.ts'
import { isZoneKey } from '../state-keys.ts'
import type { InfrastructureWish } from '../wish.ts'
import { isInside, serviceBlock } from './ipv6-blocks.ts'
import type { NetworkReads } from './reads.ts'
import { ownSubnets, type SubnetOutcome, subnetKey } from './subnet.ts'
import { keyOfSubnet } from './subnet-kinds.ts'

interface Reservation {
  readonly cidr: string
}
/** `reserved` is false where the state knows a range that is not reserved any more. */
type ReservationAttributes = { readonly reserved: boolean }

type SubnetBlock = Pick<SubnetOutcome, 'id' | 'ipv6'>

/**
 * The range for the services of a cluster with IPv6: reserved in the block of a workers' subnet, so that no machine gets
 * an address of it. Once it is known it never changes. It vanishes with its subnet.
 */
const reservationType = (
  reads: NetworkReads,
  /** Says of a subnet of the VPC whether it is one of the workers. */
  isWorkers: (subnet: Subnet, state: State) => boolean,
  { destroying }: Purpose,
): ResourceType<AwsCloud, ReservationAttributes, Reservation, Readonly<Record<string, SubnetBlock>>> => ({
  what: 'service CIDR reservation',
  list: async ({ read, state }) => {
    if (destroying) return []
    const known = state.ServiceCIDR
    const subnets = (await read(reads.subnets))
      .filter(subnet => isWorkers(subnet, state))
      .map(({ SubnetId: id = '', Ipv6CidrBlockAssociationSet: [block] = [] }) => ({
        id,
        ipv6: block?.Ipv6CidrBlock,
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
    const home = known === undefined ? undefined : subnets.find(subnet => holds(subnet, known))
    const found = (cidr: string, reserved: boolean) =>
      ({ id: cidr, key: '', status: 'ready', attributes: { reserved }, outcome: { cidr } }) as const
    if (known !== undefined && home !== undefined) {
      return [found(known, (await read(reservations(home.id))).includes(known))]
    }
    const reserved = await Promise.all(
      subnets.map(async subnet =>
        (await read(reservations(subnet.id))).filter(cidr => cidr === candidate(subnet)),
      ),
    )
    return reserved
      .flat()
      .slice(0, 1)
      .map(cidr => found(cidr, true))
  },
  create: async ({ cloud, signal, key, needs }) => {
    const [subnet] = Object.values(needs).sort((one, other) => (one.id < other.id ? -1 : 1))
    const cidr = subnet && candidate(subnet)
    if (subnet === undefined || cidr === undefined)
      throw new Error('no subnet of the workers has an IPv6 block')
    await reserve(cloud, signal, subnet.id, cidr)
    return { id: cidr, key, status: 'ready', attributes: { reserved: true }, outcome: { cidr } }
  },
  update: async ({ cloud, signal, found: { id: cidr }, needs }) => {
    const home = Object.values(needs).find(subnet => holds(subnet, cidr))
    if (home === undefined) throw new Error(`no subnet of the workers holds the service CIDR ${cidr}`)
    await reserve(cloud, signal, home.id, cidr)
    return undefined
  },
  remembers: key => key === 'ServiceCIDR',
})

const holds = ({ ipv6 }: SubnetBlock, cidr: string): boolean => ipv6 !== undefined && isInside(cidr, ipv6)

const candidate = ({ ipv6 }: SubnetBlock): string | undefined =>
  ipv6 === undefined ? undefined : serviceBlock(ipv6)

const reservations = (SubnetId: string) => ({
  name: `CIDR reservations of ${SubnetId}`,
  observe: async ({ cloud, signal }: { readonly cloud: AwsCloud; readonly signal: AbortSignal }) => {
    const all = await allPages(async token => {
      const command = new GetSubnetCidrReservationsCommand({ SubnetId, ...(token && { NextToken: token }) })
      const answer = await cloud.ec2.send(command, { abortSignal: signal })
      return { items: answer.SubnetIpv6CidrReservations, next: answer.NextToken }
    })
    return all.flatMap(({ Cidr }) => Cidr ?? [])
  },
})

const reserve = async (
  cloud: AwsCloud,
  abortSignal: AbortSignal,
  SubnetId: string,
  Cidr: string,
): Promise<void> => {
  const command = new CreateSubnetCidrReservationCommand({ SubnetId, Cidr, ReservationType: 'explicit' })
  await cloud.ec2.send(command, { abortSignal })
}

export const addReservation = (
  graph: GraphBuilder<AwsCloud>,
  wish: InfrastructureWish,
  reads: NetworkReads,
  workers: ReadonlyMap<string, Ref<SubnetOutcome>>,
  purpose: Purpose,
): void => {
  const zones = wish.zones.kind === 'managed' ? wish.zones.zones : []
  const keys = new Set(zones.map(zone => keyOfSubnet(wish, zone, 'workers')))
  const isWorkers = (subnet: Subnet, state: State) =>
    (keys.has(subnetKey(subnet)) && ownSubnets(wish, state, [subnet]).length > 0) ||
    Object.keys(state).some(key => isZoneKey(key, 'SubnetWorkers') && state[key] === subnet.SubnetId)
  graph.add(reservationType(reads, isWorkers, purpose), '', {
    needs: Object.fromEntries(workers),
    attributes: { reserved: true },
    state: { id: 'ServiceCIDR' },
  })
}
