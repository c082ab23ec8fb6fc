import {
  CreateEgressOnlyInternetGatewayCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  type EgressOnlyInternetGateway,
} from '@aws-sdk/client-ec2'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import { foundTags, isOwned, nameOf, type TagAttributes, tagSpecification, writeTags } from '../tags.ts'
import type { InfrastructureWish } from '../wish.ts'
import type { GatewayOutcome } from './internet-gateway.ts'
import type { NetworkReads } from './reads.ts'
import type { VpcOutcome } from './vpc.ts'

/** The way out for IPv6: made with the VPC, or the one that the user's VPC has. */
export const egressOnlyGatewayType = (
  wish: InfrastructureWish,
  reads: NetworkReads,
): ResourceType<AwsCloud, TagAttributes, GatewayOutcome, { vpc: VpcOutcome }> => {
  const { vpc } = wish
  const common = {
    what: 'egress-only internet gateway',
    remembers: (key: string) => key === 'EgressOnlyInternetGateway',
    replaces: ['vpc'] as const,
    usesToken: true,
  }
  if (vpc.kind === 'existing') {
    return {
      ...common,
      list: async ({ read }) =>
        (await read(reads.egressOnlyGateways))
          .filter(gateway => vpcOf(gateway) === vpc.id)
          .map(gateway => ({ ...foundGateway(gateway), key: wish.clusterName, foreign: true })),
    }
  }
  return {
    ...common,
    list: async ({ read, state }) =>
      (await read(reads.egressOnlyGateways))
        .filter(
          ({ EgressOnlyInternetGatewayId: id, Tags }) =>
            isOwned(wish, Tags) || id === state.EgressOnlyInternetGateway,
        )
        .map(foundGateway),
    create: async ({ cloud, signal, key, attributes, needs, token }) => {
      const { EgressOnlyInternetGateway } = await cloud.ec2.send(
        new CreateEgressOnlyInternetGatewayCommand({
          VpcId: needs.vpc.id,
          ClientToken: token,
          TagSpecifications: tagSpecification('egress-only-internet-gateway', attributes),
        }),
        { abortSignal: signal },
      )
      return { ...foundGateway(EgressOnlyInternetGateway ?? {}), key, attributes }
    },
    update: async ({ found, changes, ...call }) => {
      await writeTags(call, found.id, changes)
      return undefined
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      await cloud.ec2.send(new DeleteEgressOnlyInternetGatewayCommand({ EgressOnlyInternetGatewayId: id }), {
        abortSignal: signal,
      })
      return 'gone'
    },
  }
}

const vpcOf = ({ Attachments }: EgressOnlyInternetGateway): string | undefined => Attachments?.[0]?.VpcId

const foundGateway = (gateway: EgressOnlyInternetGateway): Found<TagAttributes, GatewayOutcome> => {
  const id = gateway.EgressOnlyInternetGatewayId ?? ''
  const vpc = vpcOf(gateway)
  return {
    id,
    key: nameOf(gateway.Tags),
    status: 'ready',
    attributes: foundTags(gateway.Tags),
    outcome: { id },
    uses: vpc === undefined ? [] : [vpc],
  }
}
