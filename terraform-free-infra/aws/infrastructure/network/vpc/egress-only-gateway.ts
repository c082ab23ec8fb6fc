import {
  CreateEgressOnlyInternetGatewayCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  type EgressOnlyInternetGateway,
} from '@aws-sdk/client-ec2'
import type { Found, ResourceType } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import {
  foundTags,
  isOwned,
  nameOf,
  ownsTag,
  type TagAttributes,
  tagSpecification,
  whoseByTags,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import { attachedTo } from './home-vpc.ts'
import type { GatewayOutcome } from './internet-gateway.ts'
import type { VpcOutcome } from './vpc.ts'

/** The egress gateway for IPv6: created with the VPC, or the one of the user's VPC. */
export const egressOnlyGatewayType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, TagAttributes, GatewayOutcome, { vpc: VpcOutcome }> => {
  const { vpc } = desired
  const common = {
    what: 'egress-only internet gateway',
    remembers: (key: string) => key === 'EgressOnlyInternetGateway',
    replaces: ['vpc'] as const,
    usesToken: true,
    marks: true,
    owns: (attribute: string) => ownsTag(desired, attribute),
  }
  if (vpc.kind === 'existing')
    return {
      ...common,
      list: async ({ read }) =>
        (await read(reads.egressOnlyGateways))
          .filter(gateway => attachedTo(gateway) === vpc.id)
          .map(gateway => ({ ...foundGateway(gateway), key: desired.clusterName, foreign: true })),
    }
  return {
    ...common,
    list: async ({ read, state }) => {
      const [home, gateways] = await Promise.all([read(reads.home), read(reads.egressOnlyGateways)])
      // It stays in the VPC for which it was created.
      const isHere = (gateway: EgressOnlyInternetGateway): boolean => home.has(attachedTo(gateway) ?? '')
      return gateways
        .filter(
          gateway =>
            isOwned(desired, gateway.Tags) ||
            (isHere(gateway) && gateway.EgressOnlyInternetGatewayId === state.EgressOnlyInternetGateway),
        )
        .map(gateway => {
          const { EgressOnlyInternetGatewayId: id = '', Tags } = gateway
          return {
            ...foundGateway(gateway),
            ...(isHere(gateway) && whoseByTags({ ...desired, tagsProve: true }, id, Tags)),
          }
        })
    },
    create: async ({ cloud, signal, key, attributes, needs, token }) => {
      const { EgressOnlyInternetGateway } = await cloud.ec2.send(
        new CreateEgressOnlyInternetGatewayCommand({
          VpcId: needs.vpc.id,
          ClientToken: token,
          TagSpecifications: tagSpecification(desired, 'egress-only-internet-gateway', attributes),
        }),
        { abortSignal: signal },
      )
      return { ...foundGateway(EgressOnlyInternetGateway ?? {}), key, attributes }
    },
    update: ({ found, changes, ...call }) => writeTags(call, found.id, changes),
    remove: async ({ cloud, signal, found: { id } }) => {
      await cloud.ec2.send(new DeleteEgressOnlyInternetGatewayCommand({ EgressOnlyInternetGatewayId: id }), {
        abortSignal: signal,
      })
      return 'gone'
    },
  }
}

const foundGateway = (gateway: EgressOnlyInternetGateway): Found<TagAttributes, GatewayOutcome> => {
  const id = gateway.EgressOnlyInternetGatewayId ?? ''
  const vpc = attachedTo(gateway)
  return {
    id,
    key: nameOf(gateway.Tags),
    status: 'ready',
    attributes: foundTags(gateway.Tags),
    outcome: { id },
    uses: vpc === undefined ? [] : [vpc],
  }
}
