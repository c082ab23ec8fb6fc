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
 * Removes everything that blocks the deletion of a role: its inline policies, attached managed policies and memberships
 * in profiles. The managed policies and profiles themselves remain.
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
