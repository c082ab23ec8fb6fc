import { readFile } from 'node:fs/promises'
import {
  CreateTagsCommand,
  DeleteSubnetCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  EC2Client,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { definition as recordDefinition } from '../../functions/aws/dnsrecord/function.ts'
import { route53Account } from '../../functions/aws/dnsrecord/testing/route53-account.ts'
import { recordOf } from '../../functions/aws/dnsrecord/testing/steps.ts'
import { definition as awsDefinition } from '../../functions/aws/infrastructure/function.ts'
import { definition as openstackDefinition } from '../../functions/openstack/infrastructure/function.ts'
import { simulatedCloud } from '../../functions/openstack/provider/testing/simulated-cloud.ts'
import { operator } from '../../sandbox/providers/aws/account-contents.ts'
import { type Aws, createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import {
  createSteppedSeed,
  readExample,
  type SteppedSeed,
  shootObjects,
} from '../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import {
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { readYaml } from '../../shared/text/read-yaml.ts'
import { unpainted } from '../observe/observe.ts'
import { plannedKindsOf } from '../plan/planned-kinds.ts'
import { providerPlanners } from '../plan/planner.ts'
import { type DriftOptions, findDrift } from './drift.ts'
import { driftAsText } from './drift-text.ts'

/** The end is an hour later. */
const paused = (from: number) => ({
  metadata: { annotations: { [annotations.pause]: new Date(from + 3_600_000).toISOString() } },
})

const planned = plannedKindsOf((await findProviders()).flatMap(providerPlanners))
const at = Date.parse('2026-11-21T12:00:00Z')

let seed: SteppedSeed | undefined
afterEach(() => seed?.close())

const driftIn = async (
  { kubernetes, clock }: SteppedSeed,
  connection: unknown,
  given: Partial<DriftOptions> = {},
) => {
  const report = await findDrift({
    kubernetes,
    clock,
    planned,
    connect: async () => connection,
    env: {},
    signal: new AbortController().signal,
    ...given,
  })
  return { report, text: driftAsText(report, unpainted) }
}

/** `update VPC: tag who bob → undefined`, for each differing field. */
const fieldsIn = ({ drifted }: Awaited<ReturnType<typeof driftIn>>['report']): readonly string[] =>
  drifted.flatMap(({ resources }) =>
    resources.flatMap(({ sentence, fields }) =>
      fields.length === 0
        ? [sentence]
        : fields.map(({ field, found, wanted }) => `${sentence}: ${field} ${found} → ${wanted}`),
    ),
  )

describe('drift of an Infrastructure on AWS', () => {
  const namespace = 'shoot--garden--one-zone'
  let aws: Aws
  let ec2: EC2Client
  let object: KubernetesObject
  let live: SteppedSeed
  const drift = (given?: Partial<DriftOptions>) =>
    driftIn(live, { requestHandler: aws.requestHandler }, given)

  beforeEach(async () => {
    const clock = virtualClock(at)
    aws = createAws({ clock })
    ec2 = new EC2Client(operator(aws.requestHandler))
    const example = await readExample(new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url))
    const { beside } = example
    object = example.object
    live = createSteppedSeed({
      definition: awsDefinition,
      clock,
      objects: beside,
      connection: { requestHandler: aws.requestHandler },
      waits: 'advance',
    })
    seed = live
    await live.apply(object)
  })

  test('there is none after a reconcile, and the search writes nothing', async () => {
    aws.calls.clear()
    const { report, text } = await drift()
    expect(report).toMatchObject({ same: 1, total: 1, drifted: [], pending: [], unknown: [], unread: [] })
    expect(text).toBe('1 object: 1 as applied.\n')
    expect(aws.calls.all().filter(({ action }) => !/^(?:Describe|Get|List)/.test(action))).toEqual([])
  })

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a deleted subnet',
      async () => {
        const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}))
        const SubnetId = Subnets.find(({ Tags = [] }) =>
          Tags.some(({ Value = '' }) => Value.includes('private')),
        )?.SubnetId
        await ec2.send(new DeleteSubnetCommand({ SubnetId }))
      },
      /^create subnet internal eu-west-1a: cidr undefined → 10\.250\.112\.0\/22$/,
    ],
    [
      'a removed rule of the security group',
      async () => {
        const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}))
        const group = SecurityGroups.find(({ GroupName = '' }) => GroupName.endsWith('-nodes'))
        const rule = group?.IpPermissions?.find(({ IpProtocol }) => IpProtocol === 'udp')
        if (group === undefined || rule === undefined) throw new Error('the group has no rule for UDP')
        await ec2.send(
          new RevokeSecurityGroupIngressCommand({ GroupId: group.GroupId, IpPermissions: [rule] }),
        )
      },
      /^update nodes security group: ingress udp 30000-32767 0\.0\.0\.0\/0 undefined → true$/,
    ],
    [
      'a foreign tag',
      async () => {
        const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}))
        const Resources = Vpcs.flatMap(({ VpcId, IsDefault }) => (VpcId && !IsDefault ? [VpcId] : []))
        await ec2.send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'who', Value: 'bob' }] }))
      },
      /^update VPC: tag who bob → undefined$/,
    ],
  ])('%s is found and named', async (_, change, finding) => {
    await change()
    const { report, text } = await drift()
    expect(report.drifted).toMatchObject([{ kind: 'Infrastructure', namespace, name: 'one-zone' }])
    expect(fieldsIn(report)).toContainEqual(expect.stringMatching(finding))
    expect(text).toContain(`✗ Infrastructure ${namespace}/one-zone has drifted. The next reconcile:\n    `)
    // The reconcile does what was said.
    await live.apply(object)
    expect((await drift()).report).toMatchObject({ same: 1, drifted: [] })
  })

  test('an object with a request is pending, and is not drifted', async () => {
    await live.kubernetes.patch(
      kinds.Infrastructure.resource,
      { namespace, name: 'one-zone' },
      { metadata: { annotations: { [annotations.operation]: 'reconcile' } } },
    )
    const { report, text } = await drift()
    expect(report).toMatchObject({ drifted: [], same: 0, pending: [{ why: 'its reconcile is requested' }] })
    expect(text).toContain(`… Infrastructure ${namespace}/one-zone: its reconcile is requested\n`)
  })

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'object',
      () => live.kubernetes.patch(kinds.Infrastructure.resource, { namespace, name: 'one-zone' }, paused(at)),
      `Infrastructure/${namespace}/one-zone`,
    ],
    ['shoot', () => live.kubernetes.patch(clusterKind.resource, { name: namespace }, paused(at)), namespace],
  ])('the plan of a paused %s comes with the end of its pause', async (_, pause, target) => {
    const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}))
    const Resources = Vpcs.flatMap(({ VpcId, IsDefault }) => (VpcId && !IsDefault ? [VpcId] : []))
    await ec2.send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'who', Value: 'bob' }] }))
    await pause()
    expect((await drift()).text).toContain(
      `It is paused, so none begins. To end the pause:\n    run: trellis resume ${target}\n`,
    )
  })

  test('a refused kind and a failed plan are unknown, and the rest is printed', async () => {
    const { resource } = kinds.DNSRecord
    const kubernetes: Kubernetes = {
      ...live.kubernetes,
      list: async (of, options) => {
        if (of.plural === resource.plural) throw new KubernetesError(403, 'Forbidden', 'no')
        return live.kubernetes.list(of, options)
      },
    }
    const { report, text } = await drift({ kubernetes })
    expect(report).toMatchObject({ unread: ['DNSRecords'], same: 1 })
    expect(text).toBe('? DNSRecords: you may not list them\n1 object: 1 as applied.\n')
    aws.faults.add({
      action: 'DescribeVpcs',
      times: null,
      effect: { kind: 'error', code: 'AuthFailure', status: 403, message: 'no' },
    })
    const failed = await drift()
    expect(failed.report.unknown).toMatchObject([
      { why: expect.stringContaining('ERR_INFRA_UNAUTHENTICATED') },
    ])
    expect(failed.text).toMatch(/^\? Infrastructure shoot--garden--one-zone\/one-zone: .*AuthFailure/)
  })

  test('a search that ends early says where to continue', async () => {
    const stop = new AbortController()
    const connect = async () => {
      stop.abort(new Error('the time is over'))
      return { requestHandler: aws.requestHandler }
    }
    const { report, text } = await drift({ signal: stop.signal, connect, after: 'a' })
    expect(report).toMatchObject({ ended: 'the time is over', next: 'a', total: 1 })
    expect(text).toBe(
      '? the time is over. Continue with --after a\n1 object: 1 not compared, 0 as applied.\n',
    )
  })
})

test('a changed record on AWS is found, with the found and the wanted value', async () => {
  const clock = virtualClock(at)
  const aws = createAws({ clock })
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const object = recordOf({})
  const { namespace = '', name } = object.metadata
  const live = createSteppedSeed({
    definition: recordDefinition,
    clock,
    connection: { requestHandler: aws.requestHandler },
    objects: shootObjects({
      namespace,
      secrets: { dns: { accessKeyID: 'AKIAEXAMPLE', secretAccessKey: 'secret' } },
    }),
    waits: 'advance',
  })
  seed = live
  await live.apply(object)
  const connection = { requestHandler: aws.requestHandler }
  expect((await driftIn(live, connection)).report).toMatchObject({ same: 1, drifted: [] })
  await account.change(zone, {
    Action: 'UPSERT',
    ResourceRecordSet: {
      Name: object.spec.name,
      Type: object.spec.recordType,
      TTL: object.spec.ttl ?? 120,
      ResourceRecords: [{ Value: '9.9.9.9' }],
    },
  })
  const { report, text } = await driftIn(live, connection)
  expect(report.drifted).toMatchObject([{ kind: 'DNSRecord', namespace, name }])
  const [wanted] = object.spec.values
  expect(fieldsIn(report)).toContainEqual(expect.stringMatching(`values 9\\.9\\.9\\.9 → ${wanted}`))
  expect(text).toContain(`values: 9.9.9.9 → ${wanted}`)
})

describe('drift of an Infrastructure on OpenStack', () => {
  test('a removed rule, another name and a deleted subnet are found, and nothing without a change', async () => {
    const { openstack, connection, clock } = simulatedCloud({ furnished: true })
    const example = await readFile(
      new URL('../../examples/openstack/infrastructure.yaml', import.meta.url),
      'utf8',
    )
    const documents = readYaml(example).flatMap(one =>
      'value' in one ? [one.value as KubernetesObject] : [],
    )
    const object = documents.find(({ kind }) => kind === 'Infrastructure')
    if (object === undefined) throw new Error('the example has no Infrastructure')
    const isBeside = ({ kind }: KubernetesObject) => ['Namespace', 'Cluster', 'Secret'].includes(kind)
    const beside = documents.filter(isBeside)
    const live = createSteppedSeed({
      definition: openstackDefinition,
      clock,
      objects: beside,
      connection,
      waits: 'advance',
    })
    seed = live
    await live.apply(object)
    const find = () => driftIn(live, connection)
    expect((await find()).report).toMatchObject({ same: 1, drifted: [] })
    const rule = openstack.resources('securityGroupRule').find(one => one.protocol === 'tcp')
    openstack.remove('securityGroupRule', rule?.id ?? '')
    const missing =
      'update security group: rule ingress IPv4 tcp ports 30000-32767 0.0.0.0/0 undefined → true'
    expect(fieldsIn((await find()).report)).toEqual([missing])
    const { namespace } = object.metadata
    const network = openstack.resources('network').find(one => one.name === namespace)
    openstack.put('network', network?.id ?? '', { name: 'renamed' })
    expect(fieldsIn((await find()).report)).toEqual([`update network: name renamed → ${namespace}`, missing])
    for (const { id, device_owner } of openstack.resources('port'))
      if (device_owner === 'network:router_interface') openstack.remove('port', id)
    for (const { id, name } of openstack.resources('subnet'))
      if (name === namespace) openstack.remove('subnet', id)
    expect(fieldsIn((await find()).report)).toContainEqual(
      expect.stringMatching(/^create subnet nodes: name /),
    )
  })
})
