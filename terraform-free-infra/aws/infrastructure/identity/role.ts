import type { KeyPairInfo } from '@aws-sdk/client-ec2'
import {
  type AttachedPolicy,
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  GetRoleCommand,
  type InstanceProfile,
  ListAttachedRolePoliciesCommand,
  ListInstanceProfilesForRoleCommand,
  ListRolePoliciesCommand,
  RemoveRoleFromInstanceProfileCommand,
  type Role,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { CallContext, Found, Observation, ResourceType } from '../../../engine/engine.ts'
import { allPages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isDoneWith, type Purpose } from '../tags.ts'
import { errorKindOf, ifFound } from '../with-error-codes.ts'
import { isKeyOfShoot } from './key-pairs.ts'
import { trustPolicy } from './node-policies.ts'
import { canonicalPolicy } from './policy-document.ts'
import { foreignKey, isRecorded, profileNameKey, roleNameKey } from './recorded.ts'

export type RoleAttributes = { readonly trust: string }
export interface RoleOutcome {
  readonly name: string
  readonly arn: string
  /** True for a foreign resource, which is only used. */
  readonly foreign: boolean
}
const what = 'IAM role'

const markPrefix = 'Nodes of a Gardener shoot: '

/**
 * The mark of a role. It is part of the description, because tags would need permissions that users have not granted.
 */
const roleMark = (name: string, uid: string): string => `${markPrefix}${name} (${uid})`

type DesiredRole = Pick<
  DesiredInfrastructure,
  'uid' | 'otherUids' | 'clusterName' | 'sshPublicKey' | 'adopt'
> & { readonly name: string }

interface RoleReads {
  readonly profile: Observation<AwsCloud, InstanceProfile | undefined>
  readonly keyPairs: Observation<AwsCloud, readonly KeyPairInfo[]>
}

export interface KnownRole {
  readonly role: Role
  /**
   * True if only its name matches: it may belong to another shoot or the user. It is used unchanged and never deleted.
   */
  readonly foreign: boolean
  /** True if its description says that it was created for this shoot. */
  readonly marked: boolean
}

/**
 * Reads the role of the nodes by name, which does not prove that it is ours. If role and profile exist, this costs no
 * separate read, because the profile contains its role.
 */
export const roleObservation = (
  desired: DesiredRole,
  purpose: Purpose,
  { profile, keyPairs }: RoleReads,
): Observation<AwsCloud, KnownRole | undefined> => ({
  name: 'IAM role',
  observe: async ({ cloud, state, signal, read }) => {
    const { name, uid, otherUids } = desired
    if (isDoneWith(state, purpose, { what, keys: [roleNameKey] })) return undefined
    const isMarked = ({ Description }: Role): boolean =>
      [uid, ...otherUids].some(each => Description === roleMark(name, each))
    /** Returns true for a role of the Go extension: it has no description, and the shoot's key pair is complete. */
    const isOfGo = async ({ Description = '' }: Role): Promise<boolean> => {
      if (Description !== '' || state[foreignKey(roleNameKey)] === name) return false
      if (desired.adopt !== undefined) return true
      return (await read(keyPairs)).some(pair => isKeyOfShoot(desired, pair))
    }
    if (state[roleNameKey] === name && state[profileNameKey] === name) {
      const inside = (await read(profile))?.Roles?.find(({ RoleName }) => RoleName === name)
      if (inside !== undefined)
        return { role: inside, foreign: !isRecorded(state, roleNameKey, name), marked: isMarked(inside) }
    }
    const answer = await ifFound(
      cloud.iam.send(new GetRoleCommand({ RoleName: name }), { abortSignal: signal }),
    )
    const role = answer?.Role
    if (role === undefined) return undefined
    const marked = isMarked(role)
    const ours = marked || isRecorded(state, roleNameKey, name) || (await isOfGo(role))
    return { role, foreign: !ours, marked }
  },
})

export const roleType = (
  observation: Observation<AwsCloud, KnownRole | undefined>,
  { uid, destroying = false }: Purpose & { readonly uid: string },
): ResourceType<AwsCloud, RoleAttributes, RoleOutcome> => ({
  what,
  foreseen: ({ name }) => ({ name }),
  list: async ({ read }) => {
    const known = await read(observation)
    if (known === undefined) return []
    const found = foundRole(known.role, known.foreign)
    if (known.foreign && !destroying) mustFit(`${what} ${found.id}`, found.attributes.trust, trustPolicy)
    return [found]
  },
  create: async ({ cloud, name, signal }) => {
    const { Role: role } = await cloud.iam.send(
      new CreateRoleCommand({
        RoleName: name,
        Path: '/',
        AssumeRolePolicyDocument: trustPolicy,
        Description: roleMark(name, uid),
      }),
      { abortSignal: signal },
    )
    return foundRole({ ...(role ?? unnamed), RoleName: name }, false)
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
      // The role was given more policies, or was added to another profile.
      if (errorKindOf(error) !== 'busy') throw error
      await emptyRole(context, context.found.id)
      await deleteRole(context)
    }
    return 'gone'
  },
})

const unnamed: Role = { Path: '/', RoleName: '', RoleId: '', Arn: '', CreateDate: undefined }

const foundRole = (role: Role, foreign: boolean): Found<RoleAttributes, RoleOutcome> => ({
  id: role.RoleName ?? '',
  key: role.RoleName ?? '',
  status: 'ready',
  attributes: { trust: canonicalPolicy(role.AssumeRolePolicyDocument ?? '') },
  outcome: { name: role.RoleName ?? '', arn: role.Arn ?? '', foreign },
  ...(foreign ? { foreign } : { ours: 'proved' }),
})

const deleteRole = async ({
  cloud,
  throwIfExpired,
  found: { id },
  signal,
}: CallContext<AwsCloud> & { readonly found: { readonly id: string } }): Promise<void> => {
  throwIfExpired()
  await cloud.iam.send(new DeleteRoleCommand({ RoleName: id }), { abortSignal: signal })
}

/**
 * Checks that a foreign resource fits the nodes. It is used unchanged.
 *
 * @throws CodedError that says how to fix it
 */
export const mustFit = (label: string, document: string | undefined, desiredValue: string): void => {
  if (document === canonicalPolicy(desiredValue)) return
  throw configurationProblem(
    `${label} already exists, no record or tag shows that it belongs to this shoot, and its policy differs from the policy of the nodes. Delete it, or rename the shoot`,
  )
}

/**
 * Removes everything that blocks the deletion of a role: its inline policies, attached managed policies and memberships
 * in profiles. The managed policies and profiles themselves remain.
 */
const emptyRole = async (
  { cloud: { iam }, throwIfExpired, signal }: CallContext<AwsCloud>,
  name: string,
): Promise<void> => {
  const role = { RoleName: name }
  const options = { abortSignal: signal }
  const at = (Marker: string | undefined) => ({ ...role, ...(Marker && { Marker }) })
  const [inline, attached, profiles] = await Promise.all([
    allPages(
      (policy: string) => policy,
      async marker => {
        const answer = await iam.send(new ListRolePoliciesCommand(at(marker)), options)
        return { items: answer.PolicyNames, next: answer.Marker }
      },
    ),
    allPages(
      ({ PolicyArn }: AttachedPolicy) => PolicyArn,
      async marker => {
        const answer = await iam.send(new ListAttachedRolePoliciesCommand(at(marker)), options)
        return { items: answer.AttachedPolicies, next: answer.Marker }
      },
    ),
    allPages(
      ({ InstanceProfileName }: InstanceProfile) => InstanceProfileName,
      async marker => {
        const answer = await iam.send(new ListInstanceProfilesForRoleCommand(at(marker)), options)
        return { items: answer.InstanceProfiles, next: answer.Marker }
      },
    ),
  ])
  for (const PolicyName of inline) {
    throwIfExpired()
    await iam.send(new DeleteRolePolicyCommand({ ...role, PolicyName }), options)
  }
  for (const { PolicyArn } of attached) {
    throwIfExpired()
    await iam.send(new DetachRolePolicyCommand({ ...role, PolicyArn }), options)
  }
  for (const { InstanceProfileName } of profiles) {
    throwIfExpired()
    await iam.send(new RemoveRoleFromInstanceProfileCommand({ ...role, InstanceProfileName }), options)
  }
}
