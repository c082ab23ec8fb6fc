import { DeleteRolePolicyCommand, GetRolePolicyCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import type {
  CallContext,
  Found,
  GraphBuilder,
  Observation,
  Ref,
  ResourceType,
} from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isDoneWith, type Purpose } from '../tags.ts'
import { ifFound } from '../with-error-codes.ts'
import { type IdentityReads, identityReads, nodesName } from './identity-reads.ts'
import { type ProfileOutcome, profileType } from './instance-profile.ts'
import { nodePolicy, trustPolicy } from './node-policies.ts'
import { canonicalPolicy } from './policy-document.ts'
import { foreignKey, profileNameKey, roleNameKey } from './recorded.ts'
import { type KnownRole, mustFit, type RoleOutcome, roleType } from './role.ts'

export interface IdentityRefs {
  readonly role: Ref<RoleOutcome>
  readonly profile: Ref<ProfileOutcome>
}

/** The identity of the nodes in AWS: a role with a policy, and the instance profile that gives the role to machines. */
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

/** `document`: in canonical form. */
type PolicyAttributes = { readonly document: string }
const policyNameKey = 'IAMRolePolicyName'
const what = 'IAM role policy'

/** Reads its document in canonical form. */
const policyObservation = (name: string, purpose: Purpose): Observation<AwsCloud, string | undefined> => ({
  name: what,
  observe: async ({ cloud, state, signal }) => {
    if (isDoneWith(state, purpose, { what, keys: [policyNameKey, roleNameKey] })) return undefined
    const command = new GetRolePolicyCommand({ RoleName: name, PolicyName: name })
    const answer = await ifFound(cloud.iam.send(command, { abortSignal: signal }))
    return answer?.PolicyDocument === undefined ? undefined : canonicalPolicy(answer.PolicyDocument)
  },
})

/** The inline policy of the role, with the role's name. `text`: the document to write. */
const policyType = (
  name: string,
  text: string,
  role: Observation<AwsCloud, KnownRole | undefined>,
  purpose: Purpose,
  observation = policyObservation(name, purpose),
): ResourceType<AwsCloud, PolicyAttributes, Record<never, never>, { readonly role: RoleOutcome }> => ({
  what,
  list: async ({ read }) => {
    const [document, known] = await Promise.all([read(observation), read(role)])
    const foreign = known?.foreign === true
    if (foreign && !purpose.destroying) mustFit(`the inline policy of IAM role ${name}`, document, text)
    return document === undefined ? [] : [foundPolicy(name, document, foreign)]
  },
  create: async ({ name, attributes, ...call }) => {
    await put(call, name, text)
    return foundPolicy(name, attributes.document, false)
  },
  update: async ({ found, ...call }) => {
    await put(call, found.id, text)
    return undefined
  },
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.iam.send(new DeleteRolePolicyCommand({ RoleName: id, PolicyName: id }), {
      abortSignal: signal,
    })
    return 'gone'
  },
  // It is deleted with the role.
  replaces: ['role'],
})

const put = async ({ cloud, signal }: CallContext<AwsCloud>, name: string, text: string): Promise<void> => {
  await cloud.iam.send(new PutRolePolicyCommand({ RoleName: name, PolicyName: name, PolicyDocument: text }), {
    abortSignal: signal,
  })
}

const foundPolicy = (
  name: string,
  document: string,
  foreign: boolean,
): Found<PolicyAttributes, Record<never, never>> => ({
  id: name,
  key: name,
  status: 'ready',
  attributes: { document },
  outcome: {},
  ...(foreign ? { foreign } : { ours: 'proved' }),
})
