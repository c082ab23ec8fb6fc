import type {
  AttachInternetGatewayRequest,
  CreateInternetGatewayRequest,
  CreateInternetGatewayResult,
  DeleteInternetGatewayRequest,
  DescribeInternetGatewaysRequest,
  DescribeInternetGatewaysResult,
  DetachInternetGatewayRequest,
  InternetGateway as InternetGatewayOut,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { checkLimit, hasDependencies, invalidValue } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import { publicAssociation } from '../network-interfaces/view.ts'
import type { InternetGateway } from '../rows/network.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'

const view = (ec2: Ec2, row: InternetGateway): InternetGatewayOut => ({
  InternetGatewayId: row.id,
  OwnerId: ec2.accountId,
  // EC2 returns `available` here, which the list of states in the API reference lacks.
  Attachments: row.vpcId === undefined ? [] : [{ State: 'available' as 'attached', VpcId: row.vpcId }],
  Tags: tagsOut(row.tags),
})

const fields = (ec2: Ec2): FilterFields<InternetGateway> => ({
  'attachment.state': row => (row.vpcId === undefined ? undefined : 'available'),
  'attachment.vpc-id': row => row.vpcId,
  'internet-gateway-id': row => row.id,
  'owner-id': () => ec2.accountId,
})

/** Returns true if the VPC has a public address in use. Its gateway must then remain attached. */
const hasPublicAddresses = (ec2: Ec2, vpcId: string): boolean =>
  ec2.tables.networkInterfaces
    .by('vpc-id', vpcId)
    .some(row => row.ipv4.some(address => publicAssociation(ec2, row, address) !== undefined))

export const internetGatewayOperations = {
  CreateInternetGateway: operation<CreateInternetGatewayRequest, CreateInternetGatewayResult>(
    { TagSpecifications: acceptsTags },
    (input, ec2) => {
      const tags = newTags(input.TagSpecifications, 'internet-gateway')
      checkLimit(ec2.tables.internetGateways.size, ec2.limits.internetGateways, () =>
        refuse('InternetGatewayLimitExceeded', 'The maximum number of internet gateways has been reached.'),
      )
      const row: InternetGateway = { ...ec2.newResource('igw', tags), vpcId: undefined }
      ec2.tables.internetGateways.put(row)
      return { InternetGateway: view(ec2, row) }
    },
  ),
  DescribeInternetGateways: operation<DescribeInternetGatewaysRequest, DescribeInternetGatewaysResult>(
    { InternetGatewayIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'internetGateways', fields(ec2), {
        ...input,
        ids: input.InternetGatewayIds,
        idsName: 'internetGatewayIds',
        filters: input.Filters,
      })
      return { InternetGateways: items.map(row => view(ec2, row)), NextToken: next }
    },
  ),
  AttachInternetGateway: operation<AttachInternetGatewayRequest, object>(
    { InternetGatewayId: true, VpcId: true },
    (input, ec2) => {
      const row = find(ec2, 'internetGateways', input.InternetGatewayId)
      const vpc = find(ec2, 'vpcs', input.VpcId)
      if (row.vpcId !== undefined) {
        throw refuse(
          'Resource.AlreadyAssociated',
          `resource ${row.id} is already attached to network ${row.vpcId}`,
        )
      }
      if (ec2.tables.internetGateways.by('attachment.vpc-id', vpc.id).length > 0) {
        throw invalidValue(`Network ${vpc.id} already has an internet gateway attached`)
      }
      ec2.tables.internetGateways.put({ ...row, vpcId: vpc.id })
      return {}
    },
  ),
  DetachInternetGateway: operation<DetachInternetGatewayRequest, object>(
    { InternetGatewayId: true, VpcId: true },
    (input, ec2) => {
      const row = find(ec2, 'internetGateways', input.InternetGatewayId)
      const vpc = find(ec2, 'vpcs', input.VpcId)
      if (row.vpcId !== vpc.id) {
        throw refuse('Gateway.NotAttached', `resource ${row.id} is not attached to network ${vpc.id}`)
      }
      if (hasPublicAddresses(ec2, vpc.id)) {
        throw refuse(
          'DependencyViolation',
          `Network ${vpc.id} has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.`,
        )
      }
      ec2.tables.internetGateways.put({ ...row, vpcId: undefined })
      return {}
    },
  ),
  DeleteInternetGateway: operation<DeleteInternetGatewayRequest, object>(
    { InternetGatewayId: true },
    (input, ec2) => {
      const row = find(ec2, 'internetGateways', input.InternetGatewayId)
      if (row.vpcId !== undefined) throw hasDependencies('internetGateway', row.id)
      ec2.tables.internetGateways.remove(row.id)
      return {}
    },
  ),
}
