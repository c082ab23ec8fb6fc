import {
  CreateVpcCommand,
  DescribeAddressesCommand,
  DescribeRouteTablesCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2'
import { DescribeFileSystemsCommand } from '@aws-sdk/client-efs'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import { startAccount } from './testing/account.ts'
import { type ConfigParts, zones } from './testing/objects.ts'

const dataOf = (
  shoot: ReturnType<ReturnType<typeof startAccount>['shoot']>,
): Readonly<Record<string, string>> => (shoot.status().state as { data: Record<string, string> }).data

describe('an address that was created', () => {
  const pinned = (id: string | undefined) => ({ zones: [{ ...zones(1)[0], elasticIPAllocationID: id }] })

  test('and that a user then names in the config is no longer ours: no call is made, and it survives the shoot', async () => {
    const { shoot, writes, ec2 } = startAccount()
    const ours = shoot()
    await ours.until('reconcile')
    const id = dataOf(ours)['Zones/eu-west-1a/NATGatewayElasticIP']
    ours.change(pinned(id))
    writes()
    await ours.until('reconcile')
    expect(writes()).toEqual([])
    expect(dataOf(ours)).not.toHaveProperty(['Zones/eu-west-1a/NATGatewayElasticIP'])
    await ours.until('remove')
    const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({}))
    expect(Addresses.map(({ AllocationId }) => AllocationId)).toEqual([id])
  })

  test('and is pinned right before the deletion also survives it', async () => {
    const { shoot, ec2 } = startAccount()
    const ours = shoot()
    await ours.until('reconcile')
    const id = dataOf(ours)['Zones/eu-west-1a/NATGatewayElasticIP']
    ours.change(pinned(id))
    await ours.until('remove')
    const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({}))
    expect(Addresses.map(({ AllocationId }) => AllocationId)).toEqual([id])
  })

  test('is released even if AWS refuses that for a while', async () => {
    const { shoot, aws, writes, contents } = startAccount()
    const before = await contents()
    const ours = shoot()
    await ours.until('reconcile')
    aws.faults.add({
      action: 'ReleaseAddress',
      times: 1,
      effect: { kind: 'error', code: 'AuthFailure', message: 'You do not have permission', status: 403 },
    })
    await ours.until('remove')
    expect(writes().filter(action => action === 'ReleaseAddress')).toHaveLength(2)
    expect(await contents()).toEqual(before)
  })
})

describe('an unsupported change is refused, and nothing is destroyed', () => {
  const first = zones(2)
  const base = { zones: first, rest: { elasticFileSystem: { enabled: true } } }
  test.each<[string, ConfigParts, string]>([
    [
      'EFS is switched off',
      { ...base, rest: { elasticFileSystem: { enabled: false } } },
      'elasticFileSystem',
    ],
    ['EFS is left out', { zones: first }, 'elasticFileSystem'],
    [
      'another file system',
      { ...base, rest: { elasticFileSystem: { enabled: true, id: 'fs-0123456789abcdef0' } } },
      'elasticFileSystem',
    ],
    ['a zone is left out', { ...base, zones: zones(1) }, 'networks.zones'],
    [
      'another range of a subnet',
      { ...base, zones: [{ ...first[0], public: '10.250.120.0/22' }, first[1] ?? {}] },
      'networks.zones[0].public',
    ],
    ['another CIDR of the VPC', { ...base, vpc: { cidr: '10.250.0.0/17' } }, 'networks.vpc.cidr'],
    ['a VPC of the user', { ...base, vpc: { id: 'vpc-0123456789abcdef0' } }, 'networks.vpc.id'],
    [
      'the tenancy',
      { ...base, rest: { ...base.rest, enableDedicatedTenancyForVPC: true } },
      'enableDedicatedTenancyForVPC',
    ],
  ])('%s', async (_, change, path) => {
    const { shoot, writes, contents } = startAccount()
    const ours = shoot(base)
    await ours.until('reconcile')
    const before = await contents()
    const state = dataOf(ours)
    ours.change(change)
    writes()
    const error = await failureOf(ours.step('reconcile'))
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error.message).toMatch(
      new RegExp(`spec\\.providerConfig\\.${path.replace(/[.[\]]/g, '\\$&')}: expected `),
    )
    expect(writes()).toEqual([])
    expect(await contents()).toEqual(before)
    expect(dataOf(ours)).toEqual(state)
  })

  test('a supported change is applied', async () => {
    const { shoot, efs } = startAccount()
    const ours = shoot({ zones: zones(1) })
    await ours.until('reconcile')
    ours.change({
      zones: zones(2),
      networks: { vpc: { cidr: '10.250.0.0/16', gatewayEndpoints: ['s3'] } },
      rest: { elasticFileSystem: { enabled: true } },
    })
    await ours.until('reconcile')
    expect((await efs.send(new DescribeFileSystemsCommand({}))).FileSystems).toHaveLength(1)
  })
})

describe('an old state', () => {
  test.each([
    ['gone', () => Promise.resolve('vpc-0123456789abcdef0')],
    [
      'another',
      async (ec2: EC2Client) =>
        (await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))).Vpc?.VpcId ?? '',
    ],
  ])('with a VPC that is %s: the right one is found by its content', async (_, idOf) => {
    const { shoot, ec2, writes, contents } = startAccount()
    const none = await contents()
    const ours = shoot()
    await ours.until('reconcile')
    const made = await contents()
    const tables = async () => (await ec2.send(new DescribeRouteTablesCommand({}))).RouteTables
    const VPC = await idOf(ec2)
    const before = await contents()
    const routes = await tables()
    const { state } = ours.status() as { state: { data: object } }
    const status = { ...ours.status(), state: { ...state, data: { ...state.data, VPC } } }
    const stale = shoot({ status })
    writes()
    await stale.until('reconcile')
    expect(writes()).toEqual([])
    expect(await tables()).toEqual(routes)
    expect(dataOf(stale)).toEqual(dataOf(ours))

    await shoot({ status }).until('remove')
    const gone = made.filter(line => !none.includes(line))
    expect(await contents()).toEqual(before.filter(line => !gone.includes(line)))
  })

  test('with a foreign internet gateway: it is retained', async () => {
    const { shoot, contents, ec2 } = startAccount()
    const other = shoot({ metadata: { namespace: 'shoot--foo--other', uid: 'other' } as never })
    await other.until('reconcile')
    const ours = shoot()
    await ours.until('reconcile')
    const before = await contents()
    expect(ec2).toBeDefined()
    const { state } = ours.status() as { state: { data: object } }
    const InternetGateway = dataOf(other).InternetGateway
    const stale = shoot({
      status: { ...ours.status(), state: { ...state, data: { ...state.data, InternetGateway } } },
    })
    await stale.until('reconcile')
    expect(await contents()).toEqual(before)
    expect(dataOf(stale)).toEqual(dataOf(ours))
  })
})
