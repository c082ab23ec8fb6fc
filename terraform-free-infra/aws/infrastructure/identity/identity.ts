import type { GraphBuilder, Ref } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { Purpose } from '../tags.ts'
import { type IdentityReads, identityReads, nodesName } from './identity-reads.ts'
import { type ProfileOutcome, profileType } from './instance-profile.ts'
import { nodePolicy, trustPolicy } from './node-policies.ts'
import { canonicalPolicy } from './policy-document.ts'
import { foreignKey, profileNameKey, roleNameKey } from './recorded.ts'
import { type RoleOutcome, roleType } from './role.ts'
import { policyNameKey, policyType } from './role-policy.ts'

export interface IdentityRefs {
  readonly role: Ref<RoleOutcome>
  readonly profile: Ref<ProfileOutcome>
}

/**
 * The identity of the nodes in AWS: a role with a policy, and the instance profile that gives the role to machines.
 */
export const addIdentity = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  purpose: Purpose = {},
  { profile: profiles, role: observation }: IdentityReads = identityReads(desired, purpose),
  after: readonly string[] = [],
): IdentityRefs => {
  const { uid } = desired
  const name = nodesName(desired)
  const role = graph.add(roleType(observation, { ...purpose, uid }), name, {
    attributes: { trust: canonicalPolicy(trustPolicy) },
    after,
    state: {
      id: roleNameKey,
      values: { IAMRoleARN: ({ arn }) => arn, [foreignKey(roleNameKey)]: ofOthers },
    },
  })
  const profile = graph.add(profileType(name, profiles, observation, purpose), name, {
    attributes: { role: role.get(outcome => outcome.name) },
    state: { id: profileNameKey, values: { [foreignKey(profileNameKey)]: ofOthers } },
  })
  const policy = nodePolicy(desired)
  graph.add(policyType(name, policy, observation, purpose), name, {
    needs: { role },
    attributes: { document: canonicalPolicy(policy) },
    state: { id: policyNameKey },
  })
  return { role, profile }
}

/** Returns the state entry of a foreign resource. */
const ofOthers = ({
  name,
  foreign,
}: {
  readonly name: string
  readonly foreign: boolean
}): string | undefined => (foreign ? name : undefined)
