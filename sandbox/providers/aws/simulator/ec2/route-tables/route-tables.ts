import type {
  CreateRouteTableRequest,
  CreateRouteTableResult,
  DeleteRouteTableRequest,
  DescribeRouteTablesRequest,
  DescribeRouteTablesResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { checkLimit, hasDependencies } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { onceByToken } from '../core/requests/once-by-token.ts'
import { operation } from '../core/requests/operation.ts'
import { newTags } from '../tags/tag-rules.ts'
import { newRouteTable } from './new-route-table.ts'
import { routeTableFields, routeTableView } from './view.ts'

export const routeTableOperations = {
  CreateRouteTable: operation<CreateRouteTableRequest, CreateRouteTableResult>(
    { VpcId: true, ClientToken: true, TagSpecifications: acceptsTags },
    (input, ec2) => {
      const { ids } = onceByToken(ec2, 'CreateRouteTable', input, () => {
        const vpc = find(ec2, 'vpcs', input.VpcId)
        const tags = newTags(input.TagSpecifications, 'route-table')
        checkLimit(ec2.tables.routeTables.by('vpc-id', vpc.id).length, ec2.limits.routeTables, () =>
          refuse('RouteTableLimitExceeded', 'The maximum number of route tables has been reached.'),
        )
        return [newRouteTable(ec2, vpc.id, tags, { main: false }).id]
      })
      const [id = ''] = ids
      const table = ec2.tables.routeTables.get(id)
      return {
        RouteTable: table ? routeTableView(ec2, table) : { RouteTableId: id, VpcId: input.VpcId },
        ClientToken: input.ClientToken,
      }
    },
  ),
  DescribeRouteTables: operation<DescribeRouteTablesRequest, DescribeRouteTablesResult>(
    { RouteTableIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'routeTables', routeTableFields(ec2), {
        ...input,
        ids: input.RouteTableIds,
        idsName: 'routeTableIds',
        filters: input.Filters,
      })
      return { RouteTables: items.map(table => routeTableView(ec2, table)), NextToken: next }
    },
  ),
  DeleteRouteTable: operation<DeleteRouteTableRequest, object>({ RouteTableId: true }, (input, ec2) => {
    const table = find(ec2, 'routeTables', input.RouteTableId)
    if (table.associations.length > 0) throw hasDependencies('routeTable', table.id)
    for (const endpoint of ec2.tables.vpcEndpoints.by('route-table-id', table.id)) {
      const routeTableIds = endpoint.routeTableIds.filter(id => id !== table.id)
      ec2.tables.vpcEndpoints.put({ ...endpoint, routeTableIds })
    }
    ec2.tables.routeTables.remove(table.id)
    return {}
  }),
}
