import { type AwsEndpoint, type Behaviour, minutes } from '../behaviour.ts'
import { uniqueName } from '../unique-name.ts'

/** Lets machines assume a role. */
export const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

/** Returns a policy that allows a role to describe machines. */
export const permissions = (Action = 'ec2:DescribeInstances'): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] })

/** Creates a new role, with functions for its profile. */
export const freshRole = async (endpoint: AwsEndpoint) => {
  const { iam } = endpoint
  const RoleName = uniqueName('role')
  const InstanceProfileName = uniqueName('profile')
  await iam.createRole({ RoleName, AssumeRolePolicyDocument: trust, Path: '/' })
  return {
    ...endpoint,
    RoleName,
    InstanceProfileName,
    waitLong: () => endpoint.pass(minutes(1)),
    profile: () => iam.createInstanceProfile({ InstanceProfileName }),
    add: () => iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName }),
    takeOut: () => iam.removeRoleFromInstanceProfile({ InstanceProfileName, RoleName }),
    put: (PolicyDocument = permissions(), PolicyName = 'machines') =>
      iam.putRolePolicy({ RoleName, PolicyName, PolicyDocument }),
    remove: () => iam.deleteRole({ RoleName }),
  }
}

export type FreshRole = Awaited<ReturnType<typeof freshRole>>

/** Runs `see` with a new role. */
export const ofRole =
  (see: (role: FreshRole) => Promise<unknown>): Behaviour['see'] =>
  async endpoint =>
    see(await freshRole(endpoint))
