import type {
  AttachVpnGatewayRequest,
  AttachVpnGatewayResult,
  CreateVpnGatewayRequest,
  CreateVpnGatewayResult,
  DescribeVpnGatewaysRequest,
  DescribeVpnGatewaysResult,
  EnableVgwRoutePropagationRequest,
  VpnGateway as VpnGatewayOut,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import type { VpnGateway } from '../rows/network.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'

const view = (row: VpnGateway): VpnGatewayOut => ({
  VpnGatewayId: row.id,
  State: 'available',
  Type: 'ipsec.1',
  AmazonSideAsn: row.amazonSideAsn,
  VpcAttachments: row.vpcId === undefined ? [] : [{ State: 'attached', VpcId: row.vpcId }],
  Tags: tagsOut(row.tags),
})

const fields: FilterFields<VpnGateway> = {
  'amazon-side-asn': row => row.amazonSideAsn,
  'attachment.state': row => (row.vpcId === undefined ? undefined : 'attached'),
  'attachment.vpc-id': row => row.vpcId,
  state: () => 'available',
  type: () => 'ipsec.1',
  'vpn-gateway-id': row => row.id,
}

/** Codes: "Error codes", EC2 API reference. */
export const vpnGatewayOperations = {
  CreateVpnGateway: operation<CreateVpnGatewayRequest, CreateVpnGatewayResult>(
    { Type: true, AmazonSideAsn: true, TagSpecifications: acceptsTags },
    (input, ec2) => {
      const tags = newTags(input.TagSpecifications, 'vpn-gateway')
      const row: VpnGateway = {
        ...ec2.newResource('vgw', tags),
        vpcId: undefined,
        amazonSideAsn: input.AmazonSideAsn ?? 64_512,
        learned: [],
      }
      ec2.tables.vpnGateways.put(row)
      return { VpnGateway: view(row) }
    },
  ),
  DescribeVpnGateways: operation<DescribeVpnGatewaysRequest, DescribeVpnGatewaysResult>(
    { VpnGatewayIds: true, Filters: true },
    (input, ec2) => {
      const { items } = listRows(ec2, 'vpnGateways', fields, {
        ids: input.VpnGatewayIds,
        filters: input.Filters,
      })
      return { VpnGateways: items.map(view) }
    },
  ),
  AttachVpnGateway: operation<AttachVpnGatewayRequest, AttachVpnGatewayResult>(
    { VpnGatewayId: true, VpcId: true },
    (input, ec2) => {
      const row = find(ec2, 'vpnGateways', input.VpnGatewayId)
      const vpc = find(ec2, 'vpcs', input.VpcId)
      if (row.vpcId !== undefined) {
        throw refuse(
          'VpnGatewayAttachmentLimitExceeded',
          `The virtual private gateway ${row.id} is already attached to ${row.vpcId}`,
        )
      }
      // The code and text that users saw.
      if (ec2.tables.vpnGateways.by('attachment.vpc-id', vpc.id).length > 0) {
        throw refuse('InvalidVpcState', `VPC ${vpc.id} is currently attached to the Virtual Private Gateway.`)
      }
      ec2.tables.vpnGateways.put({ ...row, vpcId: vpc.id })
      return { VpcAttachment: { State: 'attaching', VpcId: vpc.id } }
    },
  ),
  EnableVgwRoutePropagation: operation<EnableVgwRoutePropagationRequest, object>(
    { GatewayId: true, RouteTableId: true },
    (input, ec2) => {
      const gateway = find(ec2, 'vpnGateways', input.GatewayId)
      const table = find(ec2, 'routeTables', input.RouteTableId)
      if (gateway.vpcId !== table.vpcId) {
        throw refuse(
          'Gateway.NotAttached',
          `resource ${gateway.id} is not attached to network ${table.vpcId}`,
        )
      }
      const propagating = [...new Set([...(table.propagating ?? []), gateway.id])]
      ec2.tables.routeTables.put({ ...table, propagating })
      return {}
    },
  ),
}
