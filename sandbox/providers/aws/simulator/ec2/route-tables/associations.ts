import type {
  AssociateRouteTableRequest,
  AssociateRouteTableResult,
  DisassociateRouteTableRequest,
  ReplaceRouteTableAssociationRequest,
  ReplaceRouteTableAssociationResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { invalidValue } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import type { RouteTable, RouteTableAssociation } from '../rows/network.ts'

const unknownAssociation = (id: string | undefined) =>
  refuse('InvalidAssociationID.NotFound', `The association ID '${id}' does not exist`)

const findAssociation = (ec2: Ec2, id: string | undefined) => {
  const [table] = ec2.tables.routeTables.by('association.route-table-association-id', id ?? '')
  const association = table?.associations.find(candidate => candidate.id === id)
  if (!table || !association) throw unknownAssociation(id)
  return { table, association }
}

const without = (table: RouteTable, { id }: RouteTableAssociation): RouteTable => ({
  ...table,
  associations: table.associations.filter(other => other.id !== id),
})

export const routeTableAssociationOperations = {
  AssociateRouteTable: operation<AssociateRouteTableRequest, AssociateRouteTableResult>(
    { RouteTableId: true, SubnetId: true },
    (input, ec2) => {
      const { routeTables } = ec2.tables
      const table = find(ec2, 'routeTables', input.RouteTableId)
      const subnet = find(ec2, 'subnets', input.SubnetId)
      if (subnet.vpcId !== table.vpcId) {
        throw invalidValue(`Route table ${table.id} and subnet ${subnet.id} belong to different networks`)
      }
      const state = { AssociationState: { State: 'associated' as const } }
      const [current] = routeTables.by('association.subnet-id', subnet.id)
      if (current && current.id !== table.id) {
        throw refuse(
          'Resource.AlreadyAssociated',
          `the specified association for route table ${table.id} conflicts with an existing association`,
        )
      }
      const known = current?.associations.find(({ subnetId }) => subnetId === subnet.id)
      // Repeating an association returns the existing one (API reference: idempotent).
      if (known) return { AssociationId: known.id, ...state }
      const association = { id: ec2.newId('rtbassoc'), subnetId: subnet.id }
      routeTables.put({ ...table, associations: [...table.associations, association] })
      return { AssociationId: association.id, ...state }
    },
  ),
  DisassociateRouteTable: operation<DisassociateRouteTableRequest, object>(
    { AssociationId: true },
    (input, ec2) => {
      const { table, association } = findAssociation(ec2, input.AssociationId)
      if (association.subnetId === undefined) {
        throw invalidValue(`cannot disassociate the main route table association ${association.id}`)
      }
      ec2.tables.routeTables.put(without(table, association))
      return {}
    },
  ),
  ReplaceRouteTableAssociation: operation<
    ReplaceRouteTableAssociationRequest,
    ReplaceRouteTableAssociationResult
  >({ AssociationId: true, RouteTableId: true }, (input, ec2) => {
    const { table, association } = findAssociation(ec2, input.AssociationId)
    const target = find(ec2, 'routeTables', input.RouteTableId)
    if (target.vpcId !== table.vpcId) {
      throw invalidValue(`Route tables ${table.id} and ${target.id} belong to different networks`)
    }
    const replaced = { ...association, id: ec2.newId('rtbassoc') }
    ec2.tables.routeTables.put(without(table, association))
    const current = ec2.tables.routeTables.get(target.id) ?? target
    ec2.tables.routeTables.put({ ...current, associations: [...current.associations, replaced] })
    return { NewAssociationId: replaced.id, AssociationState: { State: 'associated' } }
  }),
}
