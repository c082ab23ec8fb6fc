import type { Ec2 } from '../core/context.ts'
import type { RouteTable } from '../rows/network.ts'
import type { Ec2Tag } from '../rows/resource.ts'

export const newRouteTable = (
  ec2: Ec2,
  vpcId: string,
  tags: readonly Ec2Tag[],
  { main }: { readonly main: boolean },
): RouteTable => {
  const table: RouteTable = {
    ...ec2.newResource('rtb', tags),
    vpcId,
    routes: [],
    associations: main ? [{ id: ec2.newId('rtbassoc') }] : [],
  }
  ec2.tables.routeTables.put(table)
  return table
}

/** The association that makes a table the main one of its VPC has no subnet. */
export const isMain = ({ associations }: RouteTable): boolean =>
  associations.some(({ subnetId }) => subnetId === undefined)
