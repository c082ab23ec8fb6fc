import {
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  ListAttachedRolePoliciesCommand,
  ListInstanceProfilesForRoleCommand,
  ListRolePoliciesCommand,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam'
import type { CallContext } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'

/**
 * Takes away what keeps a role from being deleted: inline policies, managed policies that are attached, and profiles
 * that it is in. The managed policies and the profiles stay.
 */
export const emptyRole = async (
  { cloud: { iam }, throwIfExpired, signal }: CallContext<AwsCloud>,
  name: string,
): Promise<void> => {
  const role = { RoleName: name }
  const options = { abortSignal: signal }
  const [inline, attached, profiles] = await Promise.all([
    iam.send(new ListRolePoliciesCommand(role), options),
    iam.send(new ListAttachedRolePoliciesCommand(role), options),
    iam.send(new ListInstanceProfilesForRoleCommand(role), options),
  ])
  for (const PolicyName of inline.PolicyNames ?? []) {
    throwIfExpired()
    await iam.send(new DeleteRolePolicyCommand({ ...role, PolicyName }), options)
  }
  for (const { PolicyArn } of attached.AttachedPolicies ?? []) {
    throwIfExpired()
    await iam.send(new DetachRolePolicyCommand({ ...role, PolicyArn }), options)
  }
  for (const { InstanceProfileName } of profiles.InstanceProfiles ?? []) {
    throwIfExpired()
    await iam.send(new RemoveRoleFromInstanceProfileCommand({ ...role, InstanceProfileName }), options)
  }
}
