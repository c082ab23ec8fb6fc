import type {
  CreateEgressOnlyInternetGatewayRequest,
  CreateEgressOnlyInternetGatewayResult,
  DeleteEgressOnlyInternetGatewayRequest,
  DeleteEgressOnlyInternetGatewayResult,
  DescribeEgressOnlyInternetGatewaysRequest,
  DescribeEgressOnlyInternetGatewaysResult,
  EgressOnlyInternetGateway,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { find } from '../core/describe/find.ts'
import { listRows, seen } from '../core/describe/list.ts'
import { checkLimit } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { onceByToken } from '../core/requests/once-by-token.ts'
import { operation } from '../core/requests/operation.ts'
import type { EgressOnlyGateway } from '../rows/network.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'

const view = (row: EgressOnlyGateway): EgressOnlyInternetGateway => ({
  EgressOnlyInternetGatewayId: row.id,
  Attachments: [{ State: 'attached', VpcId: row.vpcId }],
  Tags: tagsOut(row.tags),
})

/** The API supports only filters by tag. */
const fields: FilterFields<EgressOnlyGateway> = {}

export const egressOnlyGatewayOperations = {
  CreateEgressOnlyInternetGateway: operation<
    CreateEgressOnlyInternetGatewayRequest,
    CreateEgressOnlyInternetGatewayResult
  >({ VpcId: true, ClientToken: true, TagSpecifications: acceptsTags }, (input, ec2) => {
    const { ids } = onceByToken(ec2, 'CreateEgressOnlyInternetGateway', input, () => {
      const vpc = find(ec2, 'vpcs', input.VpcId)
      const tags = newTags(input.TagSpecifications, 'egress-only-internet-gateway')
      checkLimit(ec2.tables.egressOnlyGateways.size, ec2.limits.egressOnlyGateways, () =>
        refuse(
          'EgressOnlyInternetGatewayLimitExceeded',
          'The maximum number of egress-only internet gateways has been reached.',
        ),
      )
      const row: EgressOnlyGateway = { ...ec2.newResource('eigw', tags), vpcId: vpc.id }
      ec2.tables.egressOnlyGateways.put(row)
      return [row.id]
    })
    const row = ec2.tables.egressOnlyGateways.get(ids[0] ?? '')
    return {
      EgressOnlyInternetGateway: row ? view(row) : { EgressOnlyInternetGatewayId: ids[0] },
      ClientToken: input.ClientToken,
    }
  }),
  DescribeEgressOnlyInternetGateways: operation<
    DescribeEgressOnlyInternetGatewaysRequest,
    DescribeEgressOnlyInternetGatewaysResult
  >(
    { EgressOnlyInternetGatewayIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      // EC2 returns no error for an unknown id: the integration suite of the Go extension saw an empty list.
      const { EgressOnlyInternetGatewayIds: asked = [] } = input
      const known = new Set(
        seen(ec2, 'egressOnlyGateways', ec2.tables.egressOnlyGateways.all()).map(({ id }) => id),
      )
      const ids = asked.filter(id => known.has(id))
      if (asked.length > 0 && ids.length === 0) return { EgressOnlyInternetGateways: [] }
      const { items, next } = listRows(ec2, 'egressOnlyGateways', fields, {
        ...input,
        ids,
        idsName: 'egressOnlyInternetGatewayIds',
        filters: input.Filters,
      })
      return { EgressOnlyInternetGateways: items.map(view), NextToken: next }
    },
  ),
  DeleteEgressOnlyInternetGateway: operation<
    DeleteEgressOnlyInternetGatewayRequest,
    DeleteEgressOnlyInternetGatewayResult
  >({ EgressOnlyInternetGatewayId: true }, (input, ec2) => {
    const row = find(ec2, 'egressOnlyGateways', input.EgressOnlyInternetGatewayId)
    ec2.tables.egressOnlyGateways.remove(row.id)
    return { ReturnCode: true }
  }),
}
