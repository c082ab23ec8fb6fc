import {
  AddRoleToInstanceProfileCommand,
  AttachRolePolicyCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  GetInstanceProfileCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  PutRolePolicyCommand,
  RemoveRoleFromInstanceProfileCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam'
import { describe, expect, test } from 'vitest'
import { clientSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { formatPlan, graphOf, withoutMemory } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { convergeOver, desiredOf } from '../testing/converge.ts'
import { addIdentity } from './identity.ts'
import { nodePolicy, trustPolicy } from './node-policies.ts'

const name = 'shoot--foo--bar-nodes'

const graphFor = (parts: Partial<DesiredInfrastructure> = {}, destroying = false) => {
  const graph = graphOf<AwsCloud>()
  const refs = addIdentity(graph, desiredOf(parts), { destroying })
  return { graph: graph.build(), refs }
}

const setUp = (durations: object = {}, options: Parameters<typeof shuffledAws>[0] = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, iam: { durations: { scale: 1, ...durations } }, ...options })
  const iam = new IAMClient(clientSettings(aws))
  const over = convergeOver(aws.requestHandler, clock)
  const actions = () => aws.calls.all().map(({ action }) => action)
  const writes = () => actions().filter(action => !/^(?:Get|Describe)/.test(action))
  const create = async (parts: Partial<DesiredInfrastructure> = {}) => {
    const made = await over.converge(graphFor(parts).graph)
    aws.calls.clear()
    return made
  }
  const policy = async () => {
    const answer = await iam.send(new GetRolePolicyCommand({ RoleName: name, PolicyName: name }))
    return JSON.parse(decodeURIComponent(answer.PolicyDocument ?? ''))
  }
  const inProfile = async () => {
    const answer = await iam.send(new GetInstanceProfileCommand({ InstanceProfileName: name }))
    return answer.InstanceProfile?.Roles?.map(({ RoleName }) => RoleName)
  }
  /** Gives the role an inline policy and a profile of this name, and a managed policy of AWS. */
  const giveMore = async (more: string, managed: string) => {
    const role = { RoleName: name }
    const PolicyDocument = trustPolicy.replace(
      '"Principal":{"Service":"ec2.amazonaws.com"},',
      '"Resource":"*",',
    )
    await iam.send(new PutRolePolicyCommand({ ...role, PolicyName: more, PolicyDocument }))
    await iam.send(new AttachRolePolicyCommand({ ...role, PolicyArn: `arn:aws:iam::aws:policy/${managed}` }))
    await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: more }))
    await iam.send(new AddRoleToInstanceProfileCommand({ ...role, InstanceProfileName: more }))
  }
  return { aws, iam, ...over, actions, writes, create, policy, inProfile, giveMore }
}

describe('the identity of the nodes', () => {
  test('is a role, a policy and a profile with fixed names, created in seven calls', async () => {
    const { converge, actions, iam, policy, inProfile } = setUp()
    const { graph, refs } = graphFor()
    const { state, outcomes } = await converge(graph)
    expect(actions().sort()).toEqual([
      'AddRoleToInstanceProfile',
      'CreateInstanceProfile',
      'CreateRole',
      'GetInstanceProfile',
      'GetRole',
      'GetRolePolicy',
      'PutRolePolicy',
    ])
    expect(withoutMemory(state)).toEqual({
      IAMRoleName: name,
      IAMRoleARN: `arn:aws:iam::123456789012:role/${name}`,
      IAMInstanceProfileName: name,
      IAMRolePolicyName: name,
    })
    expect(refs.role.in(outcomes)?.arn).toBe(state.IAMRoleARN)
    expect(refs.profile.in(outcomes)?.name).toBe(name)
    const { Role: role } = await iam.send(new GetRoleCommand({ RoleName: name }))
    expect(role).toMatchObject({ Path: '/' })
    expect(JSON.parse(decodeURIComponent(role?.AssumeRolePolicyDocument ?? ''))).toEqual(
      JSON.parse(trustPolicy),
    )
    expect(await inProfile()).toEqual([name])
    expect(JSON.stringify(await policy())).toBe(nodePolicy({ fileSystem: undefined, ecrAccess: true }))
  })

  test('is created once, although IAM shows it only some seconds later', async () => {
    const { converge, inProfile, aws, writes } = setUp({ roleReadable: 12_000, profileReadable: 9_000 })
    const { state } = await converge(graphFor().graph)
    expect(await inProfile()).toEqual([name])
    const made = aws.calls.all().filter(({ outcome }) => outcome === 'success')
    for (const action of ['CreateRole', 'CreateInstanceProfile', 'PutRolePolicy'])
      expect(made.filter(call => call.action === action)).toHaveLength(1)
    aws.calls.clear()
    await converge(graphFor().graph, { state })
    expect(writes()).toEqual([])
  })

  // docs/contract/provider-aws-defects.md#policy-written-every-time
  test('is read in two calls, and not written if nothing differs', async () => {
    const { converge, create, actions } = setUp()
    const { state } = await create()
    await converge(graphFor().graph, { state })
    expect(actions().sort()).toEqual(['GetInstanceProfile', 'GetRolePolicy'])
  })

  test('includes a read of the role if the profile does not contain it', async () => {
    const { aws, iam, create, converge, actions } = setUp()
    const { state } = await create()
    await iam.send(new RemoveRoleFromInstanceProfileCommand({ RoleName: name, InstanceProfileName: name }))
    aws.calls.clear()
    await converge(graphFor().graph, { state })
    expect(actions().sort()).toEqual([
      'AddRoleToInstanceProfile',
      'GetInstanceProfile',
      'GetRole',
      'GetRolePolicy',
    ])
  })

  test('treats equivalent documents as equal', async () => {
    const { converge, create, iam, writes, aws } = setUp()
    const { state } = await create({ fileSystem: { id: undefined } })
    const split = JSON.parse(
      nodePolicy({ fileSystem: { id: undefined }, ecrAccess: true }),
    ).Statement.flatMap(({ Action }: { Action: string[] }) =>
      Action.map(action => ({ Resource: '*', Action: action, Effect: 'Allow' })),
    )
    const text = JSON.stringify({ Statement: split.reverse(), Version: '2012-10-17' }, undefined, 4)
    await iam.send(new PutRolePolicyCommand({ RoleName: name, PolicyName: name, PolicyDocument: text }))
    const trust = JSON.parse(trustPolicy)
    trust.Statement[0].Action = ['sts:AssumeRole']
    const PolicyDocument = JSON.stringify(trust, undefined, 2)
    await iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: name, PolicyDocument }))
    aws.calls.clear()
    await converge(graphFor({ fileSystem: { id: undefined } }).graph, { state })
    expect(writes()).toEqual([])
  })

  test.each<[string, Partial<DesiredInfrastructure>, (actions: readonly string[]) => boolean]>([
    ['lets nodes read from ECR', {}, actions => actions.includes('ecr:BatchGetImage')],
    [
      'does not where that is switched off',
      { ecrAccess: false },
      actions => !actions.some(action => action.startsWith('ecr:')),
    ],
    [
      'lets nodes use EFS where there is one',
      { fileSystem: { id: undefined } },
      actions =>
        actions.includes('elasticfilesystem:CreateAccessPoint') &&
        actions.includes('ec2:DescribeAvailabilityZones'),
    ],
    ['and not elsewhere', {}, actions => !actions.some(action => action.startsWith('elasticfilesystem:'))],
  ])('%s', async (_, parts, holds) => {
    const { create, policy } = setUp()
    await create({ ecrAccess: true })
    await create(parts)
    const actions = (await policy()).Statement.flatMap(({ Action }: { Action: string[] }) => Action)
    expect(actions).toContain('ec2:DescribeInstances')
    expect(holds(actions)).toBe(true)
  })

  test.each<[string, (iam: IAMClient) => Promise<unknown>, string[]]>([
    [
      'a trust policy',
      iam =>
        iam.send(
          new UpdateAssumeRolePolicyCommand({
            RoleName: name,
            PolicyDocument: trustPolicy.replace('ec2.', 'lambda.'),
          }),
        ),
      ['UpdateAssumeRolePolicy'],
    ],
    [
      'a policy',
      iam =>
        iam.send(
          new PutRolePolicyCommand({
            RoleName: name,
            PolicyName: name,
            PolicyDocument: nodePolicy({ fileSystem: undefined, ecrAccess: false }),
          }),
        ),
      ['PutRolePolicy'],
    ],
    [
      'a profile without its role',
      iam =>
        iam.send(new RemoveRoleFromInstanceProfileCommand({ RoleName: name, InstanceProfileName: name })),
      ['AddRoleToInstanceProfile'],
    ],
    [
      // docs/contract/provider-aws-defects.md#order-of-roles-in-a-profile
      'a profile with another role: that one goes first',
      async iam => {
        await iam.send(
          new RemoveRoleFromInstanceProfileCommand({ RoleName: name, InstanceProfileName: name }),
        )
        await iam.send(new CreateRoleCommand({ RoleName: 'other', AssumeRolePolicyDocument: trustPolicy }))
        await iam.send(new AddRoleToInstanceProfileCommand({ RoleName: 'other', InstanceProfileName: name }))
      },
      ['RemoveRoleFromInstanceProfile', 'AddRoleToInstanceProfile'],
    ],
  ])('repairs %s, and nothing else', async (_, change, repairs) => {
    const { aws, iam, create, converge, writes, plan, inProfile } = setUp()
    const { state } = await create()
    await change(iam)
    aws.calls.clear()
    await converge(graphFor().graph, { state })
    expect(writes()).toEqual(repairs)
    expect(await inProfile()).toEqual([name])
    expect((await plan(graphFor().graph, state)).actions).toEqual([])
  })

  test('is deleted from the profile to the role, and not read again afterwards', async () => {
    const { aws, create, converge, writes } = setUp()
    const { state } = await create()
    const { graph } = graphFor({}, true)
    expect(withoutMemory((await converge(graph, { state, destroy: true })).state)).toEqual({})
    expect(writes()).toEqual(
      expect.arrayContaining(['RemoveRoleFromInstanceProfile', 'DeleteInstanceProfile', 'DeleteRolePolicy']),
    )
    expect(writes().at(-1)).toBe('DeleteRole')
    expect(writes()).toHaveLength(4)
    aws.calls.clear()
    const waiting = { 'Waiting/NAT gateway a': '2026-11-21T00:00:00.000Z going nat-1 NAT gateway' }
    await converge(graph, { state: waiting, destroy: true })
    expect(aws.calls.all()).toEqual([])
  })

  test.each(['no call', 'DeleteRolePolicy', 'DetachRolePolicy', 'RemoveRoleFromInstanceProfile'])(
    'is deleted even if the role was given more policies and another profile, and the SDK repeats %s',
    async action => {
      const { iam, create, converge, aws, giveMore } = setUp()
      const { state } = await create()
      await giveMore('other', 'ReadOnlyAccess')
      // The answer to the second call, after the first one took effect.
      const effect = { kind: 'error', code: 'NoSuchEntity', status: 404 } as const
      aws.faults.add({ action, when: 'after', times: null, effect })
      await converge(graphFor({}, true).graph, { state, destroy: true })
      await expect(iam.send(new GetRoleCommand({ RoleName: name }))).rejects.toThrow('cannot be found')
      const { InstanceProfile } = await iam.send(
        new GetInstanceProfileCommand({ InstanceProfileName: 'other' }),
      )
      expect(InstanceProfile?.Roles).toEqual([])
    },
  )

  test('is deleted in one step even if IAM lists what the role was given on several pages, some of it twice', async () => {
    const pages = { seed: 7, most: 1, repeated: 1, omitted: 0 }
    const { iam, create, converge, giveMore } = setUp({}, { pages })
    const { state } = await create()
    await giveMore('one', 'ReadOnlyAccess')
    await giveMore('two', 'AmazonS3ReadOnlyAccess')
    await converge(graphFor({}, true).graph, { state, destroy: true, steps: 1 })
    await expect(iam.send(new GetRoleCommand({ RoleName: name }))).rejects.toThrow('cannot be found')
  })

  test('does not change a role of the same name that is not in the state', async () => {
    const { iam, converge, writes, aws } = setUp()
    await iam.send(new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: trustPolicy }))
    aws.calls.clear()
    await converge(graphFor({}, true).graph, { state: { VPC: 'vpc-1' }, destroy: true })
    expect(writes()).toEqual([])
  })

  test('uses existing resources unchanged, and retains them at its deletion', async () => {
    const { create, converge, iam, writes, aws } = setUp()
    const theirs = graphFor({ uid: 'another-uid' }).graph
    const other = await converge(theirs)
    aws.calls.clear()
    const { state } = await create()
    expect(withoutMemory(state)).toEqual({
      ...withoutMemory(other.state),
      'Foreign/IAMRoleName': name,
      'Foreign/IAMInstanceProfileName': name,
    })
    await converge(graphFor().graph, { state })
    const gone = await converge(graphFor({}, true).graph, { state, destroy: true })
    expect(withoutMemory(gone.state)).toEqual({})
    expect(writes()).toEqual([])
    // Once it is gone, we create our own.
    await converge(graphFor({ uid: 'another-uid' }, true).graph, { state: other.state, destroy: true })
    expect(withoutMemory((await converge(graphFor().graph, { state })).state)).toEqual(
      withoutMemory(other.state),
    )
    await expect(iam.send(new GetRoleCommand({ RoleName: name }))).resolves.toBeDefined()
  })

  test('reports existing resources that do not fit the nodes', async () => {
    const { converge, writes, aws } = setUp()
    await converge(graphFor({ uid: 'another-uid', ecrAccess: false }).graph)
    aws.calls.clear()
    await expect(converge(graphFor().graph)).rejects.toThrow(
      `the inline policy of IAM role ${name} already exists, no record or tag shows that it belongs to this shoot`,
    )
    expect(writes()).toEqual([])
  })

  test('deletes the resources that it created, even if they are not in the state', async () => {
    const { create, converge, iam } = setUp()
    await create()
    await converge(graphFor({}, true).graph, { state: { VPC: 'vpc-1' }, destroy: true })
    await expect(iam.send(new GetRoleCommand({ RoleName: name }))).rejects.toThrow('cannot be found')
    await expect(iam.send(new GetInstanceProfileCommand({ InstanceProfileName: name }))).rejects.toThrow(
      'cannot be found',
    )
  })

  test('shows its actions in a plan', async () => {
    const { plan } = setUp()
    expect(formatPlan(await plan(graphFor().graph))).toContain(`create IAM role ${name}`)
  })
})
