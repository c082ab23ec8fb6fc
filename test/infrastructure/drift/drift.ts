import { DescribeRouteTablesCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { clusterOf, zones } from '../../../functions/aws/infrastructure/testing/objects.ts'
import { type Hands, type MadeShoot, madeShoot, type ShootShape } from '../made-shoot.ts'

/** A manual change, and each write of the next reconcile, in any order. */
export interface Drift {
  readonly what: string
  readonly done: (hands: Hands) => Promise<unknown>
  readonly repaired: readonly string[]
  /** Returns manually created resources that must still exist. */
  readonly survives?: (hands: Hands) => Promise<unknown>
}

/** Foreign tags that a reconcile does not remove. */
const ignoreTags = { keys: ['team'], keyPrefixes: ['billing/'] }

/** A shoot with most features: two zones, an endpoint and a file system. */
export const usual: ShootShape = {
  parts: () => ({
    zones: zones(2),
    networks: { vpc: { cidr: '10.250.0.0/16', gatewayEndpoints: ['s3'] } },
    rest: { elasticFileSystem: { enabled: true }, ignoreTags },
  }),
}

export const dualStack: ShootShape = {
  parts: () => ({ zones: zones(1), rest: { dualStack: { enabled: true }, ignoreTags } }),
  cluster: clusterOf({ networking: { ipFamilies: ['IPv4', 'IPv6'] } }),
}

/** Runs one test for each change: the next reconcile makes exactly these writes, the one after it none. */
export const testDrifts = (shape: ShootShape, drifts: readonly Drift[]): void => {
  let made: Promise<MadeShoot> | undefined
  test.each(drifts)('$what', async ({ done, repaired, survives }) => {
    made ??= madeShoot(shape)
    const { hands, reconcile } = (await made).again()
    const before = await membersOf(hands)
    await done(hands)
    expect((await reconcile()).toSorted()).toEqual(repaired.toSorted())
    expect(await reconcile(), 'the second time').toEqual([])
    const replaced = repaired.some(write => write.includes(' new '))
    if (!replaced) expect(await membersOf(hands)).toEqual(expect.arrayContaining([...before]))
    if (!replaced && survives === undefined) expect((await membersOf(hands)).length).toBe(before.length)
    await survives?.(hands)
  })
}

/**
 * Returns the routes and security group rules in the VPC, one per line. Leaves out the routes that EC2 creates for
 * endpoints.
 */
const membersOf = async ({ ec2, id }: Hands): Promise<readonly string[]> => {
  const Filters = [{ Name: 'vpc-id', Values: [id('VPC')] }]
  const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({ Filters }))
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({ Filters }))
  const lines = [
    ...RouteTables.flatMap(({ RouteTableId, Routes = [] }) =>
      Routes.filter(({ DestinationPrefixListId }) => DestinationPrefixListId === undefined).map(route => ({
        RouteTableId,
        ...route,
      })),
    ),
    ...SecurityGroups.flatMap(({ GroupId, IpPermissions = [], IpPermissionsEgress = [] }) =>
      [
        ...IpPermissions.map(permission => ({ ...permission, direction: 'in' })),
        ...IpPermissionsEgress.map(permission => ({ ...permission, direction: 'out' })),
      ].flatMap(({ IpRanges = [], Ipv6Ranges = [], UserIdGroupPairs = [], ...ports }) =>
        [...IpRanges, ...Ipv6Ranges, ...UserIdGroupPairs].map(peer => ({ GroupId, ...ports, peer })),
      ),
    ),
  ]
  return lines.map(line => JSON.stringify(line)).toSorted()
}
