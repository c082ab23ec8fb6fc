import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, nothing } from './world.ts'

const find = async ({ ec2 }: Pick<FreshVpc, 'ec2'>, id: string) =>
  (await ec2.describeNetworkInterfaces({ NetworkInterfaceIds: [id] })).NetworkInterfaces?.[0]

export const networkInterfaceBehaviours: readonly Behaviour[] = [
  {
    title: 'an unknown interface is not found',
    see: vpc => codeOf(find(vpc, nothing('eni'))),
    aws: 'InvalidNetworkInterfaceID.NotFound 400',
  },
]
