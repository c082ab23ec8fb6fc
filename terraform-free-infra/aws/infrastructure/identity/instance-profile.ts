import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  type InstanceProfile,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam'
import { configurationProblem, RequeueAfterError } from '../../../../shared/contract/errors.ts'
import type { Found, Observation, ResourceType } from '../../../engine/engine.ts'
import { AwsError } from '../../account/errors/aws-error.ts'
import type { AwsCloud } from '../cloud.ts'
import { isDoneWith, type Purpose } from '../tags.ts'
import { ifFound } from '../with-error-codes.ts'
import { isRecorded, profileNameKey } from './recorded.ts'
import type { KnownRole } from './role.ts'

export type ProfileAttributes = { readonly role: string }
export interface ProfileOutcome {
  readonly name: string
  /** True for a foreign resource, which is only used. */
  readonly foreign: boolean
}
const what = 'IAM instance profile'

/** Reads the instance profile by name. */
export const profileObservation = (
  name: string,
  purpose: Purpose,
): Observation<AwsCloud, InstanceProfile | undefined> => ({
  name: what,
  observe: async ({ cloud, state, signal }) => {
    if (isDoneWith(state, purpose, { what, keys: [profileNameKey] })) return undefined
    const command = new GetInstanceProfileCommand({ InstanceProfileName: name })
    return (await ifFound(cloud.iam.send(command, { abortSignal: signal })))?.InstanceProfile
  },
})

/** The profile that gives machines the role. AWS allows only one role in it. */
export const profileType = (
  name: string,
  observation: Observation<AwsCloud, InstanceProfile | undefined>,
  role: Observation<AwsCloud, KnownRole | undefined>,
  purpose: Purpose,
): ResourceType<AwsCloud, ProfileAttributes, ProfileOutcome> => ({
  what,
  list: async ({ state, read }) => {
    const [profile, known] = await Promise.all([read(observation), read(role)])
    if (profile === undefined) return []
    const roles = (profile.Roles ?? []).flatMap(({ RoleName }) => RoleName ?? []).sort()
    const inside = roles.find(role => role === name) ?? roles[0]
    // A profile is empty if its creation was interrupted before the role was added.
    const isOfOurRole = known?.foreign === false && (inside === undefined || inside === name)
    const ours = isRecorded(state, profileNameKey, name) || isOfOurRole
    if (!ours && !purpose.destroying && inside !== name)
      throw configurationProblem(
        `${what} ${name} already exists, no record or tag shows that it belongs to this shoot, and its role is ${inside ?? 'missing'}. Delete it, or rename the shoot`,
      )
    return [foundProfile(name, inside, !ours)]
  },
  create: async ({ cloud, name, signal }) => {
    await cloud.iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: name, Path: '/' }), {
      abortSignal: signal,
    })
    return foundProfile(name, undefined, false)
  },
  update: async ({ cloud, found, attributes, throwIfExpired, signal }) => {
    const profile = { InstanceProfileName: found.id }
    const before = found.attributes.role
    // Removes the wrong role first, because AWS refuses a second one.
    if (before !== undefined) {
      await cloud.iam.send(new RemoveRoleFromInstanceProfileCommand({ ...profile, RoleName: before }), {
        abortSignal: signal,
      })
      throwIfExpired()
    }
    const add = new AddRoleToInstanceProfileCommand({ ...profile, RoleName: attributes.role })
    await cloud.iam.send(add, { abortSignal: signal }).catch((error: unknown) => {
      throw isFull(error) ? new RequeueAfterError(error, unseenRoleMs) : error
    })
    return undefined
  },
  remove: async ({ cloud, found, throwIfExpired, signal }) => {
    const profile = { InstanceProfileName: found.id }
    const inside = found.attributes.role
    if (inside !== undefined) {
      await cloud.iam.send(new RemoveRoleFromInstanceProfileCommand({ ...profile, RoleName: inside }), {
        abortSignal: signal,
      })
      throwIfExpired()
    }
    await cloud.iam.send(new DeleteInstanceProfileCommand(profile), { abortSignal: signal })
    return 'gone'
  },
})

/** The delay until the next read of a role that IAM does not show yet. */
const unseenRoleMs = 5_000

/** Returns true if the profile already has a role, which IAM shows late. A profile has at most one. */
const isFull = (error: unknown): error is AwsError =>
  error instanceof AwsError && /^LimitExceeded/.test(error.code)

const foundProfile = (
  name: string,
  role: string | undefined,
  foreign: boolean,
): Found<ProfileAttributes, ProfileOutcome> => ({
  id: name,
  key: name,
  status: 'ready',
  attributes: { role },
  outcome: { name, foreign },
  ...(foreign ? { foreign } : { ours: 'proved' }),
})
