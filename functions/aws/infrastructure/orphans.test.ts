import { expect, test } from 'vitest'
import { infrastructureOrphans } from './orphans.ts'
import { infrastructureOf, namespace } from './testing/objects.ts'

const tagged = `resources of the shoot’s controllers with the tag kubernetes.io/cluster/${namespace}`

const orphansOf = (data: object, parts: Parameters<typeof infrastructureOf>[0] = {}) =>
  infrastructureOrphans(infrastructureOf({ ...parts, status: { state: { data } } }))

const recorded = {
  CreatedFor: 'aa3c8231-0000-4000-8000-2c2e85aa3c82',
  AccountID: '123456789012',
  VPC: 'vpc-c7ad550b3230f3c79',
  InternetGateway: 'igw-d64a38ef1427e1712',
  NodesSecurityGroup: 'sg-258b5182967b4cdf9',
  MainRouteTable: 'rtb-b912cccee10552a2b',
  'Zones/eu-west-1a/Suffix': 'z0',
  'Zones/eu-west-1a/NATGatewayElasticIP': 'eipalloc-f9cd37a1c1e567f61',
  'Zones/eu-west-1a/SubnetWorkersRouteTableAssoc': 'rtbassoc-158e0710c8d2dfbc0',
  IAMRoleName: 'shoot--foo--bar-nodes',
  IAMRoleARN: 'arn:aws:iam::123456789012:role/shoot--foo--bar-nodes',
  IAMInstanceProfileName: 'shoot--foo--bar-nodes',
}
const managed = { DHCPOptions: 'dopt-401c690cd2d363c97', DefaultSecurityGroup: 'sg-d973e427ad880e5c8' }

test('a forced deletion names each recorded resource once, and what only a tag identifies', () => {
  expect(orphansOf({ ...recorded, ...managed })).toEqual([
    'VPC vpc-c7ad550b3230f3c79',
    'internet gateway igw-d64a38ef1427e1712',
    'security group sg-258b5182967b4cdf9',
    'route table rtb-b912cccee10552a2b',
    'elastic IP address eipalloc-f9cd37a1c1e567f61',
    'IAM role shoot--foo--bar-nodes',
    'IAM instance profile shoot--foo--bar-nodes',
    'DHCP options dopt-401c690cd2d363c97',
    tagged,
  ])
})

test('a forced deletion never names resources of the user for deletion', () => {
  const foreign = { ...recorded, 'Foreign/IAMRoleName': recorded.IAMRoleName }
  const vpc = { id: recorded.VPC }
  const networks = { nodesSecurityGroupID: recorded.NodesSecurityGroup }
  const [zone] = [{ name: 'eu-west-1a', elasticIPAllocationID: 'eipalloc-f9cd37a1c1e567f61' }]
  expect(orphansOf(foreign, { vpc, networks, zones: [zone] })).toEqual([
    'route table rtb-b912cccee10552a2b',
    'IAM instance profile shoot--foo--bar-nodes',
    tagged,
  ])
})

test.each<unknown>([undefined, null, 'text', { data: 'text' }, { data: { VPC: 7, KeyPair: null } }])(
  'a forced deletion names what has the tag if the state is %o',
  state => {
    expect(infrastructureOrphans(infrastructureOf({ status: { state: state as never } }))).toEqual([tagged])
  },
)
