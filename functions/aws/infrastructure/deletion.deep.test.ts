import { Readable } from 'node:stream'
import { CreateSecurityGroupCommand, EC2Client } from '@aws-sdk/client-ec2'
import { CreateLoadBalancerCommand, ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing'
import type { HttpRequest } from '@smithy/core/protocols'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { makeVpc } from '../../../test/infrastructure/account.ts'
import { accountContents, operator } from './testing/account-contents.ts'
import type { ConfigParts, ObjectParts } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

type Answer = (request: HttpRequest) => string | undefined

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const users = await makeVpc(aws.requestHandler)
  const between: { answer: Answer } = { answer: () => undefined }
  /** AWS behind a proxy that answers some requests with a page and status 200. */
  const handler: AwsRequestHandler = {
    handle: async (request, options) => {
      const page = between.answer(request)
      if (page === undefined) return aws.requestHandler.handle(request, options)
      const body = Readable.from([Buffer.from(page)])
      return { response: { statusCode: 200, headers: { 'content-type': 'text/html' }, body } as never }
    },
  }
  const before = await accountContents(aws.requestHandler)
  const shoot = (parts: ObjectParts = {}) => stepsOver(handler, clock, parts)
  return {
    aws,
    clock,
    between,
    before,
    usersVpc: users.get('vpc-00000000000000001') ?? '',
    shoot,
    contents: () => accountContents(aws.requestHandler),
  }
}
type Shoot = ReturnType<Awaited<ReturnType<typeof setUp>>['shoot']>

const dataOf = (shoot: Shoot): Readonly<Record<string, string>> =>
  (shoot.status().state as { data: Record<string, string> }).data

describe('a deletion uses the last applied config, without a change that reconcile refuses', () => {
  test.each<[string, (shoot: Shoot, usersVpc: string) => ConfigParts]>([
    ['vpc.id is the created VPC', shoot => ({ vpc: { id: dataOf(shoot).VPC } })],
    ['vpc.id is another VPC', (_, id) => ({ vpc: { id } })],
    [
      'nodesSecurityGroupID is the created group',
      shoot => ({ networks: { nodesSecurityGroupID: dataOf(shoot).NodesSecurityGroup } }),
    ],
    [
      'nodesSecurityGroupID is another group',
      () => ({ networks: { nodesSecurityGroupID: 'sg-0123456789abcdef0' } }),
    ],
    ['EFS is switched off', () => ({ rest: { elasticFileSystem: { enabled: false } } })],
    [
      'the zone has subnets of the user',
      () => ({ zones: [{ name: 'eu-west-1a', workersSubnetID: 'subnet-0123456789abcdef0' }] }),
    ],
    ['the zone is another one', () => ({ zones: [{ name: 'eu-west-1c', workers: '10.0.0.0/24' }] })],
  ])('%s', async (_, change) => {
    const { shoot, contents, before, usersVpc } = await setUp()
    const ours = shoot({ rest: { elasticFileSystem: { enabled: true } } })
    await ours.until('reconcile')
    ours.change(change(ours, usersVpc))
    await failureOf(ours.step('reconcile'))
    await ours.until('remove')
    expect(await contents()).toEqual(before)
  })

  test('in a VPC of the user retains it even if the config asks for a managed one', async () => {
    const { shoot, contents, before, usersVpc } = await setUp()
    const ours = shoot({ vpc: { id: usersVpc } })
    await ours.until('reconcile')
    ours.change({ vpc: { cidr: '10.250.0.0/16' } })
    await failureOf(ours.step('reconcile'))
    await ours.until('remove')
    expect(await contents()).toEqual(before)
  })

  test('a deletion also removes resources that were created before the config named a VPC of the user', async () => {
    const { shoot, contents, before, usersVpc, aws } = await setUp()
    const ours = shoot()
    aws.calls.clear()
    const after = () => {
      if (aws.calls.all().some(({ action }) => action === 'CreateDhcpOptions'))
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    }
    await failureOf(ours.step('reconcile', { after }))
    ours.change({ vpc: { id: usersVpc } })
    await ours.until('remove')
    expect(await contents()).toEqual(before)
  })
})

test.each([[true], [false]])(
  'a deletion removes the groups of load balancer interfaces before it ends (a VPC of the user: %s)',
  async isUsers => {
    const { shoot, contents, before, usersVpc, aws } = await setUp()
    const elb = new ElasticLoadBalancingClient(operator(aws.requestHandler))
    const ec2 = new EC2Client(operator(aws.requestHandler))
    const ours = shoot(isUsers ? { vpc: { id: usersVpc } } : {})
    await ours.until('reconcile')
    const tag = { Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' }
    const { VPC: VpcId, 'Zones/eu-west-1a/SubnetPublicUtility': subnet = '' } = dataOf(ours)
    const { GroupId = '' } = await ec2.send(
      new CreateSecurityGroupCommand({
        VpcId,
        GroupName: 'k8s-elb-a1',
        Description: 'x',
        TagSpecifications: [{ ResourceType: 'security-group', Tags: [tag] }],
      }),
    )
    await elb.send(
      new CreateLoadBalancerCommand({
        LoadBalancerName: 'a1',
        Listeners: [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 30_000 }],
        Subnets: [subnet],
        SecurityGroups: [GroupId],
        Tags: [tag],
      }),
    )
    await ours.until('remove')
    expect(await contents()).toEqual(before)
  },
)

describe('credentials of another account', () => {
  /** The same shoot, with a key of an account that has none of its resources. */
  const elsewhere = async () => {
    const { shoot, contents, clock } = await setUp()
    const ours = shoot()
    await ours.until('reconcile')
    const other = shuffledAws({ clock, defaultAccount: '210987654321' })
    return {
      ours,
      contents,
      clock,
      moved: stepsOver(other.requestHandler, clock, { status: ours.status() }),
      other,
    }
  }

  test.each([['reconcile'], ['remove']] as const)(
    '%s fails and names the expected account',
    async operation => {
      const { moved, contents, other } = await elsewhere()
      const before = await contents()
      const error = await failureOf(moved.step(operation))
      expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
      expect(error.message).toContain('expected credentials of the AWS account 123456789012')
      expect(error.message).toContain('of the account 210987654321')
      expect(other.calls.all().filter(({ action }) => !/^(?:Describe|Get|List)/.test(action))).toEqual([])
      expect(await contents()).toEqual(before)
    },
  )

  test.each([['reconcile'], ['remove']] as const)(
    'that replace the old ones while %s waits fail it, and nothing is forgotten or created twice',
    async operation => {
      const { shoot, contents, clock, before } = await setUp()
      const ours = shoot()
      if (operation === 'remove') await ours.until('reconcile')
      let result = await ours.step(operation)
      while (result.kind === 'continue' && !result.description.startsWith('Waiting for')) {
        await clock.advance(result.afterMs)
        result = await ours.step(operation, {}, { resumed: true })
      }
      expect(result.kind).toBe('continue')
      const { state } = ours.status()
      await clock.advance(120_000)
      const there = await contents()
      const other = shuffledAws({ clock, defaultAccount: '210987654321' })
      const moved = stepsOver(other.requestHandler, clock, { status: ours.status() })
      const error = await failureOf(moved.step(operation, {}, { resumed: true }))
      expect(error.message).toContain('expected credentials of the AWS account 123456789012')
      expect(other.calls.all().filter(({ action }) => !/^(?:Describe|Get|List)/.test(action))).toEqual([])
      expect(moved.status().state).toEqual(state)
      expect(await contents()).toEqual(there)
      const back = shoot({ status: moved.status() })
      await back.until(operation)
      if (operation === 'reconcile') await back.until('remove')
      expect(await contents()).toEqual(before)
    },
  )

  test('a state of the Go extension identifies its account by the role', async () => {
    const { ours, other, clock } = await elsewhere()
    const { AccountID, CreatedFor, ...data } = dataOf(ours)
    expect([AccountID, CreatedFor]).toEqual(['123456789012', 'shoot-uid'])
    const status = { ...ours.status(), state: { ...(ours.status().state as object), data } }
    const error = await failureOf(stepsOver(other.requestHandler, clock, { status }).step('remove'))
    expect(error.message).toContain('expected credentials of the AWS account 123456789012')
  })
})

describe('credentials that lack a permission', () => {
  const sshless = { spec: { sshPublicKey: undefined } as never }
  test.each([
    ['GetRole', {}],
    ['DescribeAddresses', {}],
    ['DescribeAddresses', sshless],
    ['DescribeKeyPairs', {}],
    ['DescribeVpcs', {}],
  ] as const)(
    'end no deletion with a lost state while other calls show resources: %s %o',
    async (action, parts) => {
      const { shoot, contents, before, aws } = await setUp()
      await shoot(parts).until('reconcile')
      const there = await contents()
      const code = action === 'GetRole' ? 'AccessDenied' : 'UnauthorizedOperation'
      const allow = aws.faults.add({
        action,
        times: null,
        effect: { kind: 'error', code, message: 'AWS says so.', status: 403 },
      })
      const lost = shoot(parts)
      const error = await failureOf(lost.step('remove'))
      expect(codesOf(error)).toEqual(['ERR_INFRA_UNAUTHORIZED'])
      allow()
      expect(await contents()).toEqual(there)
      await lost.until('remove')
      expect(await contents()).toEqual(before)
    },
  )
})

const page = '<html><body>Please sign in</body></html>'
const actionOf = ({ body }: HttpRequest): string => /Action=(\w+)/.exec(String(body))?.[1] ?? ''

describe('a response with status 200 that is not from AWS', () => {
  test.each<[string, Answer]>([
    ['a page for everything', () => page],
    ['nothing for everything', () => ''],
    ['a page for all of EC2', ({ hostname }) => (hostname.startsWith('ec2') ? page : undefined)],
    ['nothing for all of EC2', ({ hostname }) => (hostname.startsWith('ec2') ? '' : undefined)],
    [
      'a page for each read',
      request => (/^(?:Describe|Get|List)/.test(actionOf(request)) ? page : undefined),
    ],
    ['a page for the list of VPCs', request => (actionOf(request) === 'DescribeVpcs' ? page : undefined)],
  ])('ends no deletion: %s', async (_, answer) => {
    const { shoot, between, contents, before } = await setUp()
    const ours = shoot()
    await ours.until('reconcile')
    between.answer = answer
    for (let count = 0; count < 4; count++) await failureOf(ours.step('remove'))
    between.answer = () => undefined
    await ours.until('remove')
    expect(await contents()).toEqual(before)
  })

  test.each([['DeleteVpc'], ['DeleteSecurityGroup'], ['DeleteSubnet'], ['DeleteDhcpOptions']])(
    'is not accepted as a deletion: %s',
    async action => {
      const { shoot, between, contents, before, clock } = await setUp()
      const ours = shoot()
      await ours.until('reconcile')
      between.answer = request => (actionOf(request) === action ? page : undefined)
      const steps = async () => {
        for (let count = 0; count < 12; count++) {
          const result = await ours.step('remove')
          if (result.kind === 'done') return 'done'
          await clock.advance(result.afterMs)
        }
        return 'waiting'
      }
      expect(await steps().catch(() => 'failed')).not.toBe('done')
      between.answer = () => undefined
      await ours.until('remove')
      expect(await contents()).toEqual(before)
    },
  )

  test('creates nothing twice', async () => {
    const { shoot, between, contents } = await setUp()
    const ours = shoot()
    await ours.until('reconcile')
    const all = await contents()
    between.answer = request => (/^Describe/.test(actionOf(request)) ? page : undefined)
    await failureOf(ours.step('reconcile'))
    between.answer = () => undefined
    await ours.until('reconcile')
    expect(await contents()).toEqual(all)
  })
})
