import {
  DeleteRouteCommand,
  DescribeRouteTablesCommand,
  DescribeVpcAttributeCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam'
import { describe, expect, test } from 'vitest'
import { planInfrastructure } from '../../functions/aws/infrastructure/plan.ts'
import { accountContents, operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { clusterOf, namespace } from '../../functions/aws/infrastructure/testing/objects.ts'
import { secretAccessKey, stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import { detailsOf, isRead } from '../../sandbox/providers/aws/simulator/aws.ts'
import {
  recordedResources,
  recordedShoots,
} from '../../sandbox/providers/aws/simulator/ec2/testing/recording.ts'
import { describeAll, idMembers } from '../../sandbox/providers/aws/simulator/ec2/testing/translate.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import { formatPlan } from '../../terraform-free-infra/engine/engine.ts'
import { recordedAccount } from './recorded-account.ts'
import { recordedResourcesOf } from './recorded-resources.ts'
import { dataOf, withoutOwnKeys } from './recorded-shoot.ts'

const loaded = async (file: string) => {
  const there = await recordedAccount(file)
  const { aws, clock, object } = there
  const { metadata, spec, status } = object
  const steps = stepsOver(aws.requestHandler, clock, { metadata, spec, ...(status && { status }) })
  const ec2 = new EC2Client(operator(aws.requestHandler))
  aws.calls.clear()
  return {
    ...there,
    steps,
    ec2,
    plan: async () =>
      formatPlan(
        await planInfrastructure({
          object: steps.object(),
          cluster: clusterOf(),
          secret: {
            name: 'cloudprovider',
            namespace,
            labels: {},
            data: { accessKeyID: 'AKIAEXAMPLE', secretAccessKey },
          },
          connection: { requestHandler: aws.requestHandler },
          clock,
          signal: new AbortController().signal,
        }),
      ),
    writes: () =>
      aws.calls
        .all()
        .filter(call => !isRead(call))
        .map(call => `${call.action}${detailsOf(call)}`),
  }
}

/** Go writes the subnets in random order. */
const sortedSubnets = ({ providerStatus, ...status }: NonNullable<Infrastructure['status']>) => {
  const { vpc, ...rest } = providerStatus as { vpc: { subnets: { id: string }[] } }
  const subnets = vpc.subnets.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return { ...status, providerStatus: { ...rest, vpc: { ...vpc, subnets } } }
}

const shoots = recordedShoots.map(name => name.replace('infrastructure/', ''))

describe.each(shoots)('the recorded account of the shoot %s', file => {
  test('is loaded with all recorded resources', async () => {
    const { aws, ec2 } = await loaded(file)
    const recorded = recordedResourcesOf(file)
    const lists = recordedResources(`infrastructure/${file}`)
    const found = await describeAll(ec2)
    for (const [list, member] of Object.entries(idMembers)) {
      for (const one of lists[list] ?? []) {
        const ours = found[list]?.find(item => item[member] === one[member])
        expect(differences(one, ours, `${list} ${one[member]}`)).toEqual([])
      }
    }
    const [VpcId] = recorded.Vpcs.map(vpc => vpc.VpcId)
    for (const Attribute of ['enableDnsHostnames', 'enableDnsSupport'] as const) {
      const answer = await ec2.send(new DescribeVpcAttributeCommand({ VpcId, Attribute }))
      const member = Attribute === 'enableDnsHostnames' ? answer.EnableDnsHostnames : answer.EnableDnsSupport
      expect(member?.Value).toBe(recorded.VpcAttributes[Attribute])
    }
    const { InstanceProfileName, InstanceProfileId, Role } = { ...recorded.InstanceProfile, ...recorded }
    const iam = new IAMClient(operator(aws.requestHandler))
    const { InstanceProfile } = await iam.send(new GetInstanceProfileCommand({ InstanceProfileName }))
    expect(InstanceProfile).toMatchObject({ InstanceProfileId, Roles: [{ RoleId: Role.RoleId }] })
  })

  test('needs no change, and its status and state remain unchanged', async () => {
    const { object, steps, plan, writes } = await loaded(file)
    expect(await plan()).toBe('Nothing to do.\n')
    const result = await steps.step('reconcile')
    expect(writes()).toEqual([])
    expect(steps.saves).toEqual([])
    const { lastOperation, observedGeneration, ...recorded } = object.status ?? {}
    expect(result.kind).toBe('done')
    expect(sortedSubnets(withoutOwnKeys(result.status ?? {}))).toEqual(sortedSubnets(recorded))
    expect(sortedSubnets(withoutOwnKeys(steps.status()))).toEqual(sortedSubnets(object.status ?? {}))
  })

  test('regains a manually deleted route, and nothing else changes', async () => {
    const { object, steps, ec2, plan, writes, aws } = await loaded(file)
    const data = dataOf(object.status)
    const RouteTableId = data['Zones/eu-west-1a/ZoneRouteTable']
    const tables = async () => (await ec2.send(new DescribeRouteTablesCommand({}))).RouteTables
    const before = await tables()
    await ec2.send(new DeleteRouteCommand({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0' }))
    aws.calls.clear()
    expect(await plan()).toContain('0.0.0.0/0')
    await steps.until('reconcile')
    const gateway = data['Zones/eu-west-1a/NATGateway']
    expect(writes()).toEqual([`CreateRoute ${RouteTableId} 0.0.0.0/0 → ${gateway}`])
    expect(await tables()).toEqual(before)
    expect(sortedSubnets(withoutOwnKeys(steps.status()))).toEqual(sortedSubnets(object.status ?? {}))
  })

  test('returns to its state before the shoot by the deletion', async () => {
    const { aws, steps, fresh } = await loaded(file)
    expect(await accountContents(aws.requestHandler)).not.toEqual(fresh)
    await steps.until('remove')
    expect(await accountContents(aws.requestHandler)).toEqual(fresh)
  })
})

/** Values that only the emulator of the recording has. The loader has the reasons. */
const emulated = new Set([
  // The account's own zone names.
  'AvailabilityZoneId',
  'PrivateIp',
  'PrivateIpAddress',
  'PrivateDnsEnabled',
])

/** Returns the paths of recorded values that are missing. Ignores additional values and the order of lists. */
const differences = (recorded: unknown, ours: unknown, path: string): readonly string[] => {
  if (ours instanceof Date) return ours.getTime() === Date.parse(String(recorded)) ? [] : [path]
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    // The emulator creates no routes to endpoints.
    const items = ours.filter(item => item.DestinationPrefixListId === undefined)
    if (items.length !== recorded.length) return [`${path}: ${items.length} of ${recorded.length}`]
    return recorded.flatMap((one, index) =>
      items.some(item => differences(one, item, '').length === 0) ? [] : [`${path}[${index}]`],
    )
  }
  if (isRecord(recorded) && isRecord(ours)) {
    return Object.entries(recorded).flatMap(([name, member]) =>
      emulated.has(name) ? [] : differences(member, ours[name], `${path}.${name}`),
    )
  }
  return Object.is(recorded, ours) ? [] : [`${path}: ${recorded} ${ours}`]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
