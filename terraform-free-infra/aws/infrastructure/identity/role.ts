import {
  CreateRoleCommand,
  DeleteRoleCommand,
  GetRoleCommand,
  type InstanceProfile,
  type Role,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam'
import type { CallContext, Found, Observation, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import { faultOf } from '../fault-of.ts'
import { ifFound } from '../if-found.ts'
import { isDoneWith, type Purpose } from '../purpose.ts'
import { emptyRole } from './empty-role.ts'
import { profileNameKey } from './instance-profile.ts'
import { trustPolicy } from './node-policies.ts'
import { canonicalPolicy } from './policy-document.ts'

export type RoleAttributes = { readonly trust: string }
export interface RoleOutcome {
  readonly name: string
  readonly arn: string
}
export const roleNameKey = 'IAMRoleName'
const what = 'IAM role'

/** Tells a role of ours whose making was cut off from one that somebody else gave the same name. */
const descriptionFor = (name: string): string => `Nodes of a Gardener shoot: ${name}`

export interface KnownRole {
  readonly role: Role
  /** Found by its name alone: it may be the user's. */
  readonly foreign: boolean
}

/**
 * The role of the nodes, by its name. To delete, its name alone does not make it ours. When both were made it costs no
 * read of its own: the profile tells its role in full.
 */
export const roleObservation = (
  name: string,
  purpose: Purpose,
  profile: Observation<AwsCloud, InstanceProfile | undefined>,
): Observation<AwsCloud, KnownRole | undefined> => ({
  name: 'IAM role',
  observe: async ({ cloud, state, signal, read }) => {
    if (isDoneWith(state, purpose, { what, keys: [roleNameKey] })) return undefined
    if (state[roleNameKey] === name && state[profileNameKey] === name) {
      const inside = (await read(profile))?.Roles?.find(({ RoleName }) => RoleName === name)
      if (inside !== undefined) return { role: inside, foreign: false }
    }
    const answer = await ifFound(
      cloud.iam.send(new GetRoleCommand({ RoleName: name }), { abortSignal: signal }),
    )
    const role = answer?.Role
    if (role === undefined) return undefined
    const ours = state[roleNameKey] === name || role.Description === descriptionFor(name)
    return { role, foreign: purpose.destroying === true && !ours }
  },
})

export const roleType = (
  observation: Observation<AwsCloud, KnownRole | undefined>,
): ResourceType<AwsCloud, RoleAttributes, RoleOutcome> => ({
  what,
  foreseen: ({ name }) => ({ name }),
  list: async ({ read }) => {
    const known = await read(observation)
    return known === undefined ? [] : [foundRole(known)]
  },
  create: async ({ cloud, name, signal }) => {
    const { Role: role } = await cloud.iam.send(
      new CreateRoleCommand({
        RoleName: name,
        Path: '/',
        AssumeRolePolicyDocument: trustPolicy,
        Description: descriptionFor(name),
      }),
      { abortSignal: signal },
    )
    return foundRole({ role: { ...(role ?? unnamed), RoleName: name }, foreign: false })
  },
  update: async ({ cloud, found: { id }, signal }) => {
    await cloud.iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: id, PolicyDocument: trustPolicy }), {
      abortSignal: signal,
    })
    return undefined
  },
  remove: async context => {
    try {
      await deleteRole(context)
    } catch (error) {
      // Somebody has given it more policies, or has put it into another profile.
      if (faultOf(error) !== 'busy') throw error
      await emptyRole(context, context.found.id)
      await deleteRole(context)
    }
    return 'gone'
  },
})

const unnamed: Role = { Path: '/', RoleName: '', RoleId: '', Arn: '', CreateDate: undefined }

const foundRole = ({ role, foreign }: KnownRole): Found<RoleAttributes, RoleOutcome> => ({
  id: role.RoleName ?? '',
  key: role.RoleName ?? '',
  status: 'ready',
  attributes: { trust: canonicalPolicy(role.AssumeRolePolicyDocument ?? '') },
  outcome: { name: role.RoleName ?? '', arn: role.Arn ?? '' },
  ...(foreign && { foreign }),
})

const deleteRole = async ({
  cloud,
  guard,
  found: { id },
  signal,
}: CallContext<AwsCloud> & { readonly found: { readonly id: string } }): Promise<void> => {
  guard()
  await cloud.iam.send(new DeleteRoleCommand({ RoleName: id }), { abortSignal: signal })
}
