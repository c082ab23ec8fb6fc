import * as ec2 from '@aws-sdk/client-ec2'
import * as iam from '@aws-sdk/client-iam'
import * as s3 from '@aws-sdk/client-s3'
import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
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

/** A user adds a part to a resource of a shoot. */
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

/** The visits by the table of the resource. */
const visits: Readonly<Record<string, readonly Visit[]>> = {
  securityGroups: [
    rule(22, '192.0.2.0/24'),
    rule(22, '198.51.100.0/24', 'SSH of an operator'),
    rule(443, '10.0.0.0/8'),
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
      await new ec2.EC2Client(settings).send(
        new ec2.ModifyVpcEndpointCommand({ VpcEndpointId: String(id), AddRouteTableIds: [String(own.id)] }),
      )
    },
  ],
  roles: [
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
 * Lets users add parts to the resources of a life's objects: rules, routes, policies. Each resource gets some of them once, at
 * random times. They come after writes of functions. The returned function ends this.
 */
export const letUsersVisit = (
  world: World<AwsSide>,
  parts: readonly Part[],
  random: Random,
): (() => void) => {
  const { clock, cloud, trace } = world
  const seen = new Set<string>()
  const pauseMs = random.pick([1_000, 5_000, 20_000])
  let isOver = false
  const visit = async (home: Home, table: string, row: Row): Promise<void> => {
    const others = cloud.contentsOf(owner => owner === 'others').map(({ value }) => value as Row)
    for (const [index, act] of (visits[table] ?? []).entries()) {
      const id = `${table} ${row.id ?? row.name} ${index}`
      if (seen.has(id) || isOver) continue
      seen.add(id)
      if (!random.chance(0.6)) continue
      trace.note('people', `a user adds a part to ${id}`)
      await act(settingsOf(home, world), row, others).catch(error => trace.note('people', `failed: ${error}`))
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
  return () => {
    isOver = true
  }
}
