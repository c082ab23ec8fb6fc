import {
  CreateSubnetCidrReservationCommand,
  DeleteSubnetCidrReservationCommand,
  GetSubnetCidrReservationsCommand,
  type Subnet,
  type SubnetCidrReservation,
} from '@aws-sdk/client-ec2'
import type { Found, GraphBuilder, Observation, Ref, ResourceType, State } from '../../../../engine/engine.ts'
import { type Ec2Page, ec2Pages } from '../../../account/client/all-pages.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { isZoneKey } from '../../state.ts'
import type { Purpose } from '../../tags.ts'
import { clusterTag, isOwned, keyOfSubnet } from '../../tags.ts'
import { ifFound } from '../../with-error-codes.ts'
import type { NetworkReads } from '../reads.ts'
import { ipv6BlockOf, isInside, serviceBlock } from './ipv6-blocks.ts'
import { ownSubnets, type SubnetOutcome, subnetKey } from './subnet.ts'

interface CidrReservation {
  readonly cidr: string
  /** The id of a reservation to remove. */
  readonly reservation?: string | undefined
}
/** `reserved` is false if the state contains a range that is no longer reserved. */
type ReservationAttributes = { readonly reserved: boolean }

type SubnetBlock = Pick<SubnetOutcome, 'id' | 'ipv6'>

/**
 * The range for the services of a cluster with IPv6. It is reserved in the block of a workers' subnet, so that no
 * machine gets an address of it. Once set, it never changes. It is deleted with its subnet. In a subnet of the user it
 * has the cluster's tag, by which a deletion finds it.
 */
const reservationType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  isWorkers: ReturnType<typeof workersOf>,
  { destroying }: Purpose,
): ResourceType<AwsCloud, ReservationAttributes, CidrReservation, Readonly<Record<string, SubnetBlock>>> => {
  const own = desired.zones.kind === 'own'
  const tags = own ? [{ Key: clusterTag(desired), Value: 'owned' }] : []
  const reserve = async (
    { cloud, signal }: { readonly cloud: AwsCloud; readonly signal: AbortSignal },
    SubnetId: string,
    Cidr: string,
  ): Promise<void> => {
    const command = new CreateSubnetCidrReservationCommand({
      SubnetId,
      Cidr,
      ReservationType: 'explicit',
      ...(own && { TagSpecifications: [{ ResourceType: 'subnet-cidr-reservation', Tags: tags }] }),
    })
    await cloud.ec2.send(command, { abortSignal: signal })
  }
  return {
    what: 'service CIDR reservation',
    list: async ({ read, state }) => {
      if (destroying && !own) return []
      const known = state.ServiceCIDR
      const [all, tagsProve] = await Promise.all([read(reads.subnets), read(reads.tagsProve)])
      const subnets = all
        .filter(subnet => isWorkers(subnet, state, tagsProve))
        .map(({ SubnetId: id = '', Ipv6CidrBlockAssociationSet }) => ({
          id,
          ipv6: ipv6BlockOf(Ipv6CidrBlockAssociationSet).block,
        }))
        .sort((one, other) => (one.id < other.id ? -1 : 1))
      const home = known === undefined ? undefined : subnets.find(subnet => holds(subnet, known))
      if (destroying) {
        const reserved = await Promise.all(
          (home === undefined ? subnets : [home]).map(({ id }) => read(reservations(id))),
        )
        return reserved
          .flatMap(each => each ?? [])
          .filter(({ Tags }) => isOwned(desired, Tags))
          .map(({ Cidr = '', SubnetCidrReservationId: id }) => foundReservation(Cidr, true, id))
      }
      if (known !== undefined && home !== undefined) {
        const there = await read(reservations(home.id))
        // The next reconcile compares a range that cannot be read now.
        return [foundReservation(known, there === undefined || there.some(({ Cidr }) => Cidr === known))]
      }
      const reserved = await Promise.all(
        subnets.map(async subnet =>
          (await read(reservations(subnet.id)))?.filter(({ Cidr }) => Cidr === candidate(subnet)),
        ),
      )
      return reserved
        .flatMap(each => each ?? [])
        .slice(0, 1)
        .map(({ Cidr = '' }) => foundReservation(Cidr, true))
    },
    create: async ({ needs, ...call }) => {
      const [subnet] = Object.values(needs).sort((one, other) => (one.id < other.id ? -1 : 1))
      const cidr = subnet && candidate(subnet)
      if (subnet === undefined || cidr === undefined)
        throw new Error('no subnet of the workers has an IPv6 block')
      await reserve(call, subnet.id, cidr)
      return foundReservation(cidr, true)
    },
    update: async ({ found: { id: cidr }, needs, ...call }) => {
      const home = Object.values(needs).find(subnet => holds(subnet, cidr))
      if (home === undefined) throw new Error(`no subnet of the workers contains the service CIDR ${cidr}`)
      await reserve(call, home.id, cidr)
      return undefined
    },
    ...(own && {
      remove: async ({ cloud, signal, found: { outcome } }) => {
        const command = new DeleteSubnetCidrReservationCommand({
          SubnetCidrReservationId: outcome.reservation,
        })
        await cloud.ec2.send(command, { abortSignal: signal })
        return 'gone'
      },
    }),
    remembers: key => key === 'ServiceCIDR',
    // AWS refuses a second one.
    once: { reserved: 'by create' },
  }
}

/** Returns a found reservation. Its id in the state is its CIDR. */
const foundReservation = (
  cidr: string,
  reserved: boolean,
  reservation?: string,
): Found<ReservationAttributes, CidrReservation> => ({
  id: cidr,
  key: '',
  status: 'ready',
  attributes: { reserved },
  outcome: { cidr, reservation },
  // It is in one of our subnets, or has the tag of its creation.
  ours: 'proved',
})

const holds = ({ ipv6 }: SubnetBlock, cidr: string): boolean => ipv6 !== undefined && isInside(cidr, ipv6)

const candidate = ({ ipv6 }: SubnetBlock): string | undefined =>
  ipv6 === undefined ? undefined : serviceBlock(ipv6)

/** Undefined while EC2 shows the subnet only in lists. */
const reservations = (
  SubnetId: string,
): Observation<AwsCloud, readonly SubnetCidrReservation[] | undefined> => ({
  name: `CIDR reservations of ${SubnetId}`,
  observe: ({ cloud, signal }) =>
    ifFound(
      ec2Pages('SubnetIpv6CidrReservations', 'SubnetCidrReservationId', (page: Ec2Page) =>
        cloud.ec2.send(new GetSubnetCidrReservationsCommand({ SubnetId, ...page }), { abortSignal: signal }),
      ),
    ),
})

/** `workers`: the subnets of the nodes, by zone. */
export const addCidrReservation = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  workers: ReadonlyMap<string, Ref<SubnetBlock>>,
  purpose: Purpose,
): void => {
  graph.add(reservationType(desired, reads, workersOf(desired), purpose), '', {
    needs: Object.fromEntries(workers),
    attributes: { reserved: true },
    state: { id: 'ServiceCIDR' },
  })
}

/** Returns a function that returns true for a workers' subnet of the VPC. */
const workersOf = (
  desired: DesiredInfrastructure,
): ((subnet: Subnet, state: State, tagsProve: boolean) => boolean) => {
  if (desired.zones.kind === 'own') {
    const ids = new Set(desired.zones.zones.map(zone => zone.workers))
    return ({ SubnetId = '' }) => ids.has(SubnetId)
  }
  const keys = new Set(desired.zones.zones.map(zone => keyOfSubnet(desired, zone, 'workers')))
  return (subnet, state, tagsProve) =>
    (keys.has(subnetKey(subnet)) && ownSubnets({ ...desired, tagsProve }, state, [subnet]).length > 0) ||
    Object.keys(state).some(key => isZoneKey(key, 'SubnetWorkers') && state[key] === subnet.SubnetId)
}
