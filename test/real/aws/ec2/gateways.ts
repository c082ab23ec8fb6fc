import { type Behaviour, codeOf } from '../behaviour.ts'
import { freshVpc, inVpc, nothing, present, tagged } from './world.ts'

export const gatewayBehaviours: readonly Behaviour[] = [
  {
    title: 'an internet gateway is attached to its VPC',
    see: inVpc(async ({ ec2, id, gateway }) => {
      const { InternetGateways } = await ec2.describeInternetGateways({
        InternetGatewayIds: [await gateway()],
      })
      return InternetGateways?.[0]?.Attachments?.map(({ State, VpcId }) => [State, VpcId === id])
    }),
    aws: [['available', true]],
  },
  {
    title: 'an internet gateway is found by the VPC that it is attached to',
    see: inVpc(async ({ ec2, id, gateway }) => {
      const made = await gateway()
      const { InternetGateways } = await ec2.describeInternetGateways({
        Filters: [{ Name: 'attachment.vpc-id', Values: [id] }],
      })
      return InternetGateways?.map(({ InternetGatewayId }) => InternetGatewayId === made)
    }),
    aws: [true],
  },
  {
    title: 'an attached gateway is not attached again',
    see: inVpc(async ({ ec2, id: VpcId, gateway }) =>
      codeOf(ec2.attachInternetGateway({ InternetGatewayId: await gateway(), VpcId })),
    ),
    aws: 'Resource.AlreadyAssociated 400',
  },
  {
    title: 'an attached gateway is not attached to another VPC',
    see: inVpc(async vpc => {
      const other = await freshVpc(vpc)
      return codeOf(
        vpc.ec2.attachInternetGateway({ InternetGatewayId: await vpc.gateway(), VpcId: other.id }),
      )
    }),
    aws: 'Resource.AlreadyAssociated 400',
  },
  {
    title: 'a VPC has one internet gateway',
    see: inVpc(async ({ gateway }) => [await codeOf(gateway()), await codeOf(gateway())]),
    aws: ['done', 'InvalidParameterValue 400'],
    moto: ['done', 'done'],
  },
  {
    title: 'an attached gateway cannot be deleted',
    see: inVpc(async ({ ec2, gateway }) =>
      codeOf(ec2.deleteInternetGateway({ InternetGatewayId: await gateway() })),
    ),
    aws: 'DependencyViolation 400',
  },
  {
    title: 'a gateway is detached, then deleted, then gone',
    see: inVpc(async ({ ec2, id: VpcId, gateway }) => {
      const InternetGatewayId = await gateway()
      return [
        await codeOf(ec2.detachInternetGateway({ InternetGatewayId, VpcId })),
        await codeOf(ec2.detachInternetGateway({ InternetGatewayId, VpcId })),
        await codeOf(ec2.deleteInternetGateway({ InternetGatewayId })),
        await codeOf(ec2.deleteInternetGateway({ InternetGatewayId })),
      ]
    }),
    aws: ['done', 'Gateway.NotAttached 400', 'done', 'InvalidInternetGatewayID.NotFound 400'],
  },
  {
    title: 'a gateway id of no form is refused',
    see: ({ ec2 }) => codeOf(ec2.describeInternetGateways({ InternetGatewayIds: ['gateway'] })),
    aws: 'InvalidInternetGatewayId.Malformed 400',
    moto: 'InvalidInternetGatewayID.NotFound 400',
  },
  {
    title: 'an egress-only gateway is attached, and found by its tag',
    see: inVpc(async ({ ec2, id: VpcId }) => {
      const tag = { cluster: VpcId }
      await ec2.createEgressOnlyInternetGateway({
        VpcId,
        TagSpecifications: tagged('egress-only-internet-gateway', tag),
      })
      const found = async (value: string) => {
        const { EgressOnlyInternetGateways } = await ec2.describeEgressOnlyInternetGateways({
          Filters: [{ Name: 'tag:cluster', Values: [value] }],
        })
        return EgressOnlyInternetGateways?.map(({ Attachments }) => Attachments?.[0]?.State)
      }
      return [await found(VpcId), await found('another')]
    }),
    aws: [['attached'], []],
    moto: [['attached'], ['attached']],
  },
  {
    title: 'an unknown egress-only gateway is no error, and the list is empty',
    see: ({ ec2 }) =>
      codeOf(
        ec2.describeEgressOnlyInternetGateways({ EgressOnlyInternetGatewayIds: [nothing('eigw')] }),
        ({ EgressOnlyInternetGateways }) => EgressOnlyInternetGateways,
      ),
    aws: [],
  },
  {
    title: 'an egress-only gateway is deleted',
    see: inVpc(async ({ ec2, id: VpcId }) => {
      const made = await ec2.createEgressOnlyInternetGateway({ VpcId })
      const EgressOnlyInternetGatewayId = present(made.EgressOnlyInternetGateway?.EgressOnlyInternetGatewayId)
      const { ReturnCode } = await ec2.deleteEgressOnlyInternetGateway({ EgressOnlyInternetGatewayId })
      return ReturnCode
    }),
    aws: true,
  },
]
