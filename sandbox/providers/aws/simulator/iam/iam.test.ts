import * as iam from '@aws-sdk/client-iam'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { type AwsOptions, createAws } from '../simulator.ts'
import { clientSettings, failureOf } from '../testing/clients.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

const newIam = (options: AwsOptions = {}) => {
  const clock = virtualClock(start)
  const aws = createAws({ clock, ...options })
  const client = new iam.IAMClient(clientSettings(aws))
  return { aws, clock, client, send: client.send.bind(client) as typeof client.send }
}

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
const policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['ec2:DescribeInstances'], Resource: '*' }],
})
const role = (RoleName = 'nodes') => new iam.CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust })
const profile = (InstanceProfileName = 'nodes') =>
  new iam.CreateInstanceProfileCommand({ InstanceProfileName })
const names = { RoleName: 'nodes', InstanceProfileName: 'nodes' }

describe('roles', () => {
  test('a role is created with its id, its ARN and percent-encoded documents', async () => {
    const { send } = newIam()
    const made = await send(
      new iam.CreateRoleCommand({
        RoleName: 'nodes',
        Path: '/shoots/',
        AssumeRolePolicyDocument: trust,
        Description: 'nodes of a shoot',
        Tags: [{ Key: 'team', Value: 'a b' }],
      }),
    )
    const { Role } = await send(new iam.GetRoleCommand({ RoleName: 'nodes' }))
    expect(made.Role).toMatchObject({
      Arn: 'arn:aws:iam::123456789012:role/shoots/nodes',
      RoleId: expect.stringMatching(/^AROA[A-Z0-9]{17}$/),
      CreateDate: new Date(start),
      Tags: [{ Key: 'team', Value: 'a b' }],
    })
    expect(Role).toMatchObject({
      Description: 'nodes of a shoot',
      MaxSessionDuration: 3600,
      RoleLastUsed: {},
    })
    expect(Role?.AssumeRolePolicyDocument).toMatch(/^%7B%22Version%22%3A%222012-10-17%22/)
    expect(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? '')).toBe(trust)
  })

  test('a missing role is NoSuchEntity for each operation that needs it', async () => {
    const { send } = newIam()
    const { RoleName } = names
    const missing = await Promise.all(
      [
        send(new iam.GetRoleCommand({ RoleName })),
        send(new iam.DeleteRoleCommand({ RoleName })),
        send(new iam.PutRolePolicyCommand({ RoleName, PolicyName: 'p', PolicyDocument: policy })),
        send(new iam.GetRolePolicyCommand({ RoleName, PolicyName: 'p' })),
        send(new iam.DeleteRolePolicyCommand({ RoleName, PolicyName: 'p' })),
        send(new iam.ListRolePoliciesCommand({ RoleName })),
        send(new iam.ListAttachedRolePoliciesCommand({ RoleName })),
        send(new iam.ListInstanceProfilesForRoleCommand({ RoleName })),
        send(new iam.UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument: trust })),
      ].map(failureOf),
    )
    for (const failure of missing) {
      expect(failure).toMatchObject({
        name: 'NoSuchEntityException',
        Code: 'NoSuchEntity',
        message: 'The role with name nodes cannot be found.',
        $metadata: { httpStatusCode: 404 },
      })
    }
  })

  test('a role name is unique, ignoring case', async () => {
    const { send } = newIam()
    await send(role())
    expect(await failureOf(send(role('NODES')))).toMatchObject({
      Code: 'EntityAlreadyExists',
      message: 'Role with name NODES already exists.',
      $metadata: { httpStatusCode: 409 },
    })
  })

  test('a role cannot be deleted while it has policies or is in a profile', async () => {
    const { send } = newIam()
    const PolicyArn = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
    await send(role())
    await send(profile())
    await send(new iam.AddRoleToInstanceProfileCommand(names))
    await send(new iam.PutRolePolicyCommand({ RoleName: 'nodes', PolicyName: 'p', PolicyDocument: policy }))
    await send(new iam.AttachRolePolicyCommand({ RoleName: 'nodes', PolicyArn }))
    const deletion = () => send(new iam.DeleteRoleCommand({ RoleName: 'nodes' }))
    const refusal = (message: string) => ({
      Code: 'DeleteConflict',
      message,
      $metadata: { httpStatusCode: 409 },
    })
    expect(await failureOf(deletion())).toMatchObject(
      refusal('Cannot delete entity, must remove roles from instance profile first.'),
    )
    await send(new iam.RemoveRoleFromInstanceProfileCommand(names))
    expect(await failureOf(deletion())).toMatchObject(
      refusal('Cannot delete entity, must detach all policies first.'),
    )
    await send(new iam.DetachRolePolicyCommand({ RoleName: 'nodes', PolicyArn }))
    expect(await failureOf(deletion())).toMatchObject(
      refusal('Cannot delete entity, must delete policies first.'),
    )
    await send(new iam.DeleteRolePolicyCommand({ RoleName: 'nodes', PolicyName: 'p' }))
    await deletion()
    expect((await send(new iam.ListRolesCommand({}))).Roles).toEqual([])
  })

  test('a role can be read only some time after its creation, if a delay is set', async () => {
    const { send, clock } = newIam({ iam: { durations: { roleReadable: 2000 } } })
    await send(role())
    const read = () => send(new iam.GetRoleCommand({ RoleName: 'nodes' }))
    expect(await failureOf(read())).toMatchObject({ Code: 'NoSuchEntity' })
    expect(await failureOf(send(role()))).toMatchObject({ Code: 'EntityAlreadyExists' })
    await clock.advance(2000)
    await expect(read()).resolves.toBeDefined()
  })

  test.each([
    [
      'a/b',
      "Value 'a/b' at 'roleName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]+",
    ],
    ['a'.repeat(65), 'Member must have length less than or equal to 64'],
  ])('a role named %j is refused', async (name, message) => {
    const { send } = newIam()
    expect(await failureOf(send(role(name)))).toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    })
  })
})

describe('policy documents', () => {
  const statement = { Effect: 'Allow', Action: 'ec2:DescribeInstances', Resource: '*' }
  const trusting = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }
  const documentOf = (...statements: object[]) =>
    JSON.stringify({ Version: '2012-10-17', Statement: statements })

  test.each([
    ['{', 'This policy contains invalid Json'],
    ['[]', 'Syntax errors in policy.'],
    [JSON.stringify({ Version: '2013-01-01', Statement: [statement] }), 'Syntax errors in policy.'],
    [documentOf({ ...statement, Effect: 'allow' }), 'Syntax errors in policy.'],
    [documentOf({ ...statement, Other: 1 }), 'Syntax errors in policy.'],
    [documentOf({ Effect: 'Allow', Resource: '*' }), 'Policy statement must contain actions.'],
    [documentOf({ Effect: 'Allow', Action: 'ec2:*' }), 'Policy statement must contain resources.'],
    [
      documentOf({ ...statement, Action: 'DescribeInstances' }),
      'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.',
    ],
    [documentOf({ ...statement, Resource: 'bucket' }), 'Resource bucket must be in ARN format or "*".'],
    [
      documentOf({ ...statement, Sid: 'a' }, { ...statement, Sid: 'a' }),
      'Statement IDs (SID) in a single policy must be unique.',
    ],
    [documentOf({ ...statement, Principal: '*' }), 'Policy document should not specify a principal.'],
  ])('the policy of a role is refused: %s', async (PolicyDocument, message) => {
    const { send } = newIam()
    await send(role())
    const put = new iam.PutRolePolicyCommand({ RoleName: 'nodes', PolicyName: 'p', PolicyDocument })
    expect(await failureOf(send(put))).toMatchObject({
      Code: 'MalformedPolicyDocument',
      message,
      $metadata: { httpStatusCode: 400 },
    })
  })

  test.each([
    [documentOf({ ...trusting, Resource: '*' }), 'Has prohibited field Resource'],
    [documentOf({ Effect: 'Allow', Action: 'sts:AssumeRole' }), 'Missing required field Principal'],
    [
      documentOf({ ...trusting, Principal: { Service: 'nobody' } }),
      'Invalid principal in policy: "SERVICE":"nobody"',
    ],
    [
      documentOf({ ...trusting, Action: 'ec2:RunInstances' }),
      'AssumeRole policy may only specify STS AssumeRole actions.',
    ],
  ])('a trust policy is refused: %s', async (AssumeRolePolicyDocument, message) => {
    const { send } = newIam()
    const create = new iam.CreateRoleCommand({ RoleName: 'nodes', AssumeRolePolicyDocument })
    expect(await failureOf(send(create))).toMatchObject({ Code: 'MalformedPolicyDocument', message })
    await send(role())
    const update = new iam.UpdateAssumeRolePolicyCommand({
      RoleName: 'nodes',
      PolicyDocument: AssumeRolePolicyDocument,
    })
    expect(await failureOf(send(update))).toMatchObject({ Code: 'MalformedPolicyDocument', message })
  })

  test('a policy counts without its white space against the quota of its role', async () => {
    const { send } = newIam()
    await send(role())
    const put = (PolicyName: string, PolicyDocument: string) =>
      send(new iam.PutRolePolicyCommand({ RoleName: 'nodes', PolicyName, PolicyDocument }))
    const large = documentOf({ ...statement, Resource: `arn:aws:s3:::${'a'.repeat(9000)}` })
    await put('large', `${large}${' '.repeat(5000)}`)
    expect(
      await failureOf(
        put('more', documentOf({ ...statement, Resource: `arn:aws:s3:::${'b'.repeat(2000)}` })),
      ),
    ).toMatchObject({
      Code: 'LimitExceeded',
      message: 'Maximum policy size of 10240 bytes exceeded for role nodes',
    })
  })
})

describe('the instance profile of a launch', () => {
  test('a profile holds one role, which must be removed before the profile can be deleted', async () => {
    const { send } = newIam()
    await send(role())
    await send(role('other'))
    await send(profile())
    await send(new iam.AddRoleToInstanceProfileCommand(names))
    expect(
      await failureOf(send(new iam.AddRoleToInstanceProfileCommand({ ...names, RoleName: 'other' }))),
    ).toMatchObject({
      Code: 'LimitExceeded',
      message: 'Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1',
    })
    const read = await send(new iam.GetInstanceProfileCommand(names))
    expect(read.InstanceProfile).toMatchObject({
      Arn: 'arn:aws:iam::123456789012:instance-profile/nodes',
      InstanceProfileId: expect.stringMatching(/^AIPA/),
      Roles: [{ RoleName: 'nodes', Arn: 'arn:aws:iam::123456789012:role/nodes' }],
    })
    const listed = await send(new iam.ListInstanceProfilesForRoleCommand({ RoleName: 'nodes' }))
    expect(listed.InstanceProfiles?.map(found => found.InstanceProfileName)).toEqual(['nodes'])
    expect(await failureOf(send(new iam.DeleteInstanceProfileCommand(names)))).toMatchObject({
      Code: 'DeleteConflict',
      message: 'Cannot delete entity, must remove roles from instance profile first.',
    })
    await send(new iam.RemoveRoleFromInstanceProfileCommand(names))
    expect(await failureOf(send(new iam.RemoveRoleFromInstanceProfileCommand(names)))).toMatchObject({
      Code: 'NoSuchEntity',
    })
    await send(new iam.DeleteInstanceProfileCommand(names))
    expect(await failureOf(send(new iam.GetInstanceProfileCommand(names)))).toMatchObject({
      Code: 'NoSuchEntity',
      message: 'Instance Profile nodes cannot be found.',
    })
  })

  test('the creation of an existing profile is refused', async () => {
    const { send } = newIam()
    await send(profile())
    expect(await failureOf(send(profile()))).toMatchObject({
      Code: 'EntityAlreadyExists',
      message: 'Instance Profile nodes already exists.',
    })
  })

  test('a profile is the same in all regions, and separate in each account', async () => {
    const { aws, send } = newIam()
    aws.account('222222222222').register({ accessKeyId: 'AKIATWO', secretAccessKey: 'two' })
    await send(profile())
    const elsewhere = new iam.IAMClient({ ...clientSettings(aws), region: 'ap-south-1' })
    const other = new iam.IAMClient(clientSettings(aws, { accessKeyId: 'AKIATWO', secretAccessKey: 'two' }))
    await expect(elsewhere.send(new iam.GetInstanceProfileCommand(names))).resolves.toBeDefined()
    expect(await failureOf(other.send(new iam.GetInstanceProfileCommand(names)))).toMatchObject({
      Code: 'NoSuchEntity',
    })
  })
})

test('a snapshot restores the state of IAM', async () => {
  const { aws, send } = newIam()
  await send(role())
  const snapshot = JSON.parse(JSON.stringify(aws.account().snapshot()))
  await send(new iam.DeleteRoleCommand({ RoleName: 'nodes' }))
  aws.account().restore(snapshot)
  const { Role } = await send(new iam.GetRoleCommand({ RoleName: 'nodes' }))
  expect(Role?.CreateDate).toEqual(new Date(start))
})
