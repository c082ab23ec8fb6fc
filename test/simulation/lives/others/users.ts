import * as ec2 from '@aws-sdk/client-ec2'
import * as iam from '@aws-sdk/client-iam'
import * as s3 from '@aws-sdk/client-s3'
import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import { addTaggedGateway } from '../../../../sandbox/providers/aws/simulation/furnish-account.ts'
import type { PersonSettings } from '../../../../sandbox/providers/aws/simulation/namesake.ts'
import { isRead } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import {
  objectName,
  type Random,
  runningCode,
  type World,
} from '../../../../sandbox/simulation/simulation.ts'
import type { Part } from '../cast.ts'
import { type Home, region } from '../homes.ts'

type Row = Readonly<Record<string, unknown>>

/** A user adds a part to a resource of a shoot. May return how the user removes it. */
type Visit = (settings: PersonSettings, row: Row, all: readonly Row[]) => Promise<unknown>

export const settingsOf = (home: Home, { cloud: { aws } }: World<AwsSide>) => ({
  region,
  credentials: { accessKeyId: home.keys.accessKeyID, secretAccessKey: home.keys.secretAccessKey },
  requestHandler: aws.requestHandler,
  maxAttempts: 1,
})

const isNodesGroup = ({ name }: Row): boolean => String(name).endsWith('-nodes')

const rule =
  (port: number, cidr: string, Description?: string): Visit =>
  async (settings, row) => {
    if (!isNodesGroup(row)) return
    const IpRanges = [{ CidrIp: cidr, ...(Description && { Description }) }]
    const IpPermissions = [{ IpProtocol: 'tcp', FromPort: port, ToPort: port, IpRanges }]
    await new ec2.EC2Client(settings).send(
      new ec2.AuthorizeSecurityGroupIngressCommand({ GroupId: String(row.id), IpPermissions }),
    )
  }

const statement = (Bucket: string, Sid: string) => ({
  Sid,
  Effect: 'Allow',
  Principal: { AWS: 'arn:aws:iam::123456789012:root' },
  Action: 's3:GetObject',
  Resource: `arn:aws:s3:::${Bucket}/*`,
})

/** Replaces the policy of a bucket by one for a tool of the user, or adds it. */
const policy =
  (replaces: boolean): Visit =>
  async (settings, { name, policy }) => {
    const Bucket = String(name)
    const { Statement = [], ...rest } = typeof policy === 'string' ? JSON.parse(policy) : {}
    const own = statement(Bucket, replaces ? 'Tool' : 'Backup')
    await new s3.S3Client(settings).send(
      new s3.PutBucketPolicyCommand({
        Bucket,
        Policy: JSON.stringify({
          Version: '2012-10-17',
          ...rest,
          Statement: [...(replaces ? [] : Statement), own],
        }),
      }),
    )
  }

/** A user replaces the tagged NAT gateway of the own subnets, and releases its address. */
const replaceTaggedGateway: Visit = async (settings, _, all) => {
  const tagOf = ({ tags }: Row) => [tags ?? []].flat().find(one => Object(one).Value === 'shared')
  const gateway = all.find(
    row => 'connectivity' in row && row.state === 'available' && tagOf(row) !== undefined,
  )
  if (gateway === undefined) return
  const tag = tagOf(gateway)
  const client = new ec2.EC2Client(settings)
  const NatGatewayId = String(gateway.id)
  await addTaggedGateway({
    client,
    subnet: String(gateway.subnetId),
    cluster: String(Object(tag).Key).replace('kubernetes.io/cluster/', ''),
  })
  await client.send(new ec2.DeleteNatGatewayCommand({ NatGatewayId }))
}

/** The visits by the table of the resource. */
const visits: Readonly<Record<string, readonly Visit[]>> = {
  securityGroups: [
    rule(22, '192.0.2.0/24'),
    rule(22, '198.51.100.0/24', 'SSH of an operator'),
    rule(443, '10.0.0.0/8'),
  ],
  // A second IPv6 block.
  vpcs: [
    async (settings, { id, ipv6Blocks }) => {
      if ([ipv6Blocks ?? []].flat().length === 0) return
      await new ec2.EC2Client(settings).send(
        new ec2.AssociateVpcCidrBlockCommand({ VpcId: String(id), AmazonProvidedIpv6CidrBlock: true }),
      )
    },
  ],
  // A table of the user leads to the gateway.
  natGateways: [
    async (settings, { id, vpcId }, all) => {
      const own = all.find(row => row.vpcId === vpcId && 'routes' in row)
      if (own === undefined) return
      const client = new ec2.EC2Client(settings)
      const route = { RouteTableId: String(own.id), DestinationCidrBlock: '198.18.0.0/15' }
      await client.send(new ec2.CreateRouteCommand({ ...route, NatGatewayId: String(id) }))
      return () => client.send(new ec2.DeleteRouteCommand(route))
    },
  ],
  routeTables: [
    async (settings, { id, routes, tags }) => {
      const [to] = (routes ?? []) as readonly {
        readonly target: { readonly type: string; readonly id: string }
      }[]
      const client = new ec2.EC2Client(settings)
      if (tags !== undefined)
        await client.send(
          new ec2.CreateTagsCommand({ Resources: [String(id)], Tags: [{ Key: 'cost-centre', Value: '7' }] }),
        )
      if (to === undefined) return
      await client.send(
        new ec2.CreateRouteCommand({
          RouteTableId: String(id),
          DestinationCidrBlock: '192.0.2.0/24',
          ...(to.target.type === 'nat-gateway'
            ? { NatGatewayId: to.target.id }
            : { GatewayId: to.target.id }),
        }),
      )
    },
  ],
  vpcEndpoints: [
    async (settings, { id, vpcId }, all) => {
      const own = all.find(row => row.vpcId === vpcId && 'routes' in row)
      if (own === undefined) return
      const client = new ec2.EC2Client(settings)
      const endpoint = { VpcEndpointId: String(id) }
      const tables = [String(own.id)]
      await client.send(new ec2.ModifyVpcEndpointCommand({ ...endpoint, AddRouteTableIds: tables }))
      return () => client.send(new ec2.ModifyVpcEndpointCommand({ ...endpoint, RemoveRouteTableIds: tables }))
    },
  ],
  roles: [
    replaceTaggedGateway,
    (settings, { name }) =>
      new iam.IAMClient(settings).send(
        new iam.PutRolePolicyCommand({
          RoleName: String(name),
          PolicyName: 'of-a-user',
          PolicyDocument: JSON.stringify({
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
          }),
        }),
      ),
  ],
  buckets: [
    policy(false),
    policy(true),
    // Disables the rules.
    async (settings, { name, lifecycle }) => {
      if (typeof lifecycle !== 'string') return
      const Rules = JSON.parse(lifecycle).map((one: object) => ({ ...one, Status: 'Disabled' }))
      await new s3.S3Client(settings).send(
        new s3.PutBucketLifecycleConfigurationCommand({
          Bucket: String(name),
          LifecycleConfiguration: { Rules },
        }),
      )
    },
    (settings, { name, lifecycle }) =>
      new s3.S3Client(settings).send(
        new s3.PutBucketLifecycleConfigurationCommand({
          Bucket: String(name),
          LifecycleConfiguration: {
            Rules: [
              ...(typeof lifecycle === 'string' ? JSON.parse(lifecycle) : []),
              { ID: 'of-a-user', Filter: { Prefix: 'logs/' }, Status: 'Enabled', Expiration: { Days: 30 } },
            ],
          },
        }),
      ),
  ],
}

/**
 * Lets users add parts to the resources of a life's objects: rules, routes, policies. Each resource gets some of them
 * once, at random times. They come after writes of functions. `visitedAt`: the time of the last one, in ms since the
 * epoch.
 */
export const letUsersVisit = (
  world: World<AwsSide>,
  parts: readonly Part[],
  random: Random,
): { readonly end: () => Promise<void>; readonly visitedAt: () => number } => {
  const { clock, cloud, trace } = world
  const undos: (() => Promise<unknown>)[] = []
  const seen = new Set<string>()
  const pauseMs = random.pick([1_000, 5_000, 20_000])
  let isOver = false
  let visitedAt = 0
  const visit = async (home: Home, table: string, row: Row): Promise<void> => {
    const others = cloud.contentsOf(owner => owner === 'others').map(({ value }) => value as Row)
    for (const [index, act] of (visits[table] ?? []).entries()) {
      const id = `${table} ${row.id ?? row.name} ${index}`
      if (seen.has(id) || isOver) continue
      seen.add(id)
      if (!random.chance(0.6)) continue
      trace.note('people', `a user adds a part to ${id}`)
      visitedAt = clock.now()
      const undo = await act(settingsOf(home, world), row, others).catch(error =>
        trace.note('people', `failed: ${error}`),
      )
      if (typeof undo === 'function') undos.push(undo as () => Promise<unknown>)
      // The next act needs the present resource.
      return
    }
  }
  const visitAll = async (): Promise<void> => {
    for (const { home, desired } of parts) {
      const name = objectName({ ...desired.key, kind: desired.kind, namespace: desired.key.namespace })
      for (const { place, value } of cloud.contentsOf(owner => owner === name))
        await visit(home, place.slice(place.lastIndexOf(' ') + 1), Object(value))
    }
  }
  let isPlanned = false
  cloud.aws.calls.onCall(call => {
    if (isOver || isPlanned || isRead(call) || runningCode.getStore()?.step === undefined) return
    isPlanned = true
    const begin = () => {
      isPlanned = false
      void visitAll()
    }
    // Not as the step that calls.
    runningCode.exit(() => clock.after(random.int(pauseMs), begin))
  })
  return {
    visitedAt: () => visitedAt,
    end: async () => {
      isOver = true
      for (const undo of undos) await undo().catch(error => trace.note('people', `failed: ${error}`))
    },
  }
}
