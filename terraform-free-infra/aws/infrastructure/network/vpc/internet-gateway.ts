import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  DeleteInternetGatewayCommand,
  DetachInternetGatewayCommand,
  type InternetGateway,
} from '@aws-sdk/client-ec2'
import type { Found, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/unanswered.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import {
  foundTags,
  isCluster,
  isMarked,
  nameOf,
  ownsTag,
  type TagAttributes,
  tagSpecification,
  whoseByTags,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import { attachedTo } from './home-vpc.ts'

export interface GatewayOutcome {
  readonly id: string
}
type GatewayAttributes = TagAttributes & {
  /** The id of the VPC to which it is attached. */
  readonly attachedTo: string
}

/** The internet gateway: created and attached, or the one of the user's VPC. */
export const internetGatewayType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, GatewayAttributes, GatewayOutcome> => {
  const common = { what: 'internet gateway', remembers: (key: string) => key === 'InternetGateway' }
  if (desired.vpc.kind === 'existing')
    return {
      ...common,
      list: async ({ read }) =>
        (await read(reads.internetGateways)).map(gateway => ({
          ...foundGateway(gateway),
          key: desired.clusterName,
          foreign: true,
        })),
    }
  return {
    ...common,
    list: async ({ read, state }) => {
      const [home, gateways] = await Promise.all([read(reads.home), read(reads.internetGateways)])
      const isHere = (gateway: InternetGateway): boolean => home.has(attachedTo(gateway) ?? '')
      // A gateway that is attached elsewhere and has none of our tags is not the recorded one.
      const isRecorded = (gateway: InternetGateway): boolean =>
        gateway.InternetGatewayId === state.InternetGateway &&
        (attachedTo(gateway) === undefined || isHere(gateway))
      return gateways
        .filter(gateway => isCluster(desired, gateway.Tags) || isRecorded(gateway))
        .map(gateway => {
          const { InternetGatewayId: id = '', Tags } = gateway
          if (isMarked(desired, Tags) || isHere(gateway))
            return {
              ...foundGateway(gateway),
              ...whoseByTags({ ...desired, tagsProve: isHere(gateway) }, id, Tags),
            }
          return foundGateway(gateway)
        })
    },
    create: async ({ cloud, signal, key, attributes }) => {
      const answer = await cloud.ec2.send(
        new CreateInternetGatewayCommand({
          TagSpecifications: tagSpecification(desired, 'internet-gateway', attributes),
        }),
        { abortSignal: signal },
      )
      const made = foundGateway(answer.InternetGateway ?? {})
      const { attachedTo, ...tags } = attributes
      return { ...made, key, attributes: tags, mark: made.id, repeated: wasRepeated(answer) }
    },
    marks: true,
    doubles: true,
    owns: attribute => ownsTag(desired, attribute),
    update: async ({ found: { id, attributes: present }, changes, attributes, ...call }) => {
      const { cloud, signal } = call
      if (changes.some(({ attribute }) => attribute === 'attachedTo')) {
        if (present.attachedTo !== undefined) {
          const attachment = { InternetGatewayId: id, VpcId: present.attachedTo }
          await cloud.ec2.send(new DetachInternetGatewayCommand(attachment), { abortSignal: signal })
          call.throwIfExpired()
        }
        const attachment = { InternetGatewayId: id, VpcId: attributes.attachedTo }
        await cloud.ec2.send(new AttachInternetGatewayCommand(attachment), { abortSignal: signal })
      }
      return writeTags(call, id, changes)
    },
    remove: async ({ cloud, throwIfExpired, signal, found: { id, attributes } }) => {
      if (attributes.attachedTo !== undefined) {
        const attachment = { InternetGatewayId: id, VpcId: attributes.attachedTo }
        await cloud.ec2.send(new DetachInternetGatewayCommand(attachment), { abortSignal: signal })
        throwIfExpired()
      }
      await cloud.ec2.send(new DeleteInternetGatewayCommand({ InternetGatewayId: id }), {
        abortSignal: signal,
      })
      return 'gone'
    },
  }
}

const foundGateway = (gateway: InternetGateway): Found<GatewayAttributes, GatewayOutcome> => {
  const { InternetGatewayId: id = '', Tags } = gateway
  const vpc = attachedTo(gateway)
  return {
    id,
    key: nameOf(Tags),
    status: 'ready',
    attributes: { ...(vpc !== undefined && { attachedTo: vpc }), ...foundTags(Tags) },
    outcome: { id },
    uses: vpc === undefined ? [] : [vpc],
  }
}
