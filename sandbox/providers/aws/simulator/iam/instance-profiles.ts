import type {
  AddRoleToInstanceProfileRequest,
  CreateInstanceProfileRequest,
  CreateInstanceProfileResponse,
  DeleteInstanceProfileRequest,
  GetInstanceProfileRequest,
  GetInstanceProfileResponse,
  InstanceProfile as InstanceProfileOutput,
  ListInstanceProfilesForRoleRequest,
  ListInstanceProfilesForRoleResponse,
  ListInstanceProfilesRequest,
  ListInstanceProfilesResponse,
  RemoveRoleFromInstanceProfileRequest,
} from '@aws-sdk/client-iam'
import { type Call, refuse } from '../service.ts'
import { check, newTags } from './constraints.ts'
import { pageOf } from './pages.ts'
import { findRole, showRole } from './roles.ts'
import type { IamRules } from './settings.ts'
import { type IamState, type InstanceProfile, keyOf } from './state.ts'

type ProfileCall = Call<IamState>

const findProfile = (
  { durations }: IamRules,
  name: string | undefined,
  call: ProfileCall,
): InstanceProfile => {
  const { state, clock } = call
  const profile = state.profiles[keyOf(check('instanceProfileName', name))]
  const isReadable = profile && clock.now() >= profile.createdAt + durations.profileReadable
  if (!isReadable || call.isHidden?.('profiles', profile.name)) {
    throw refuse('NoSuchEntity', `Instance Profile ${name} cannot be found.`)
  }
  return profile
}

export const profileArn = (
  accountId: string,
  { path, name }: Pick<InstanceProfile, 'path' | 'name'>,
): string => `arn:aws:iam::${accountId}:instance-profile${path}${name}`

/** Lists show no tags ("ListInstanceProfiles", API reference). */
const show = (profile: InstanceProfile, { state, principal }: ProfileCall): InstanceProfileOutput => {
  const role = profile.role === undefined ? undefined : state.roles[keyOf(profile.role)]
  return {
    Path: profile.path,
    InstanceProfileName: profile.name,
    InstanceProfileId: profile.id,
    Arn: profileArn(principal.accountId, profile),
    CreateDate: new Date(profile.createdAt),
    Roles: role ? [showRole(role, principal.accountId)] : [],
  }
}

const showWhole = (profile: InstanceProfile, call: ProfileCall): InstanceProfileOutput => ({
  ...show(profile, call),
  ...(profile.tags.length > 0 ? { Tags: profile.tags } : {}),
})

export const createInstanceProfile = (
  input: CreateInstanceProfileRequest,
  call: ProfileCall,
): CreateInstanceProfileResponse => {
  const { state, clock, newId } = call
  const name = check('instanceProfileName', input.InstanceProfileName)
  const path = check('path', input.Path ?? '/')
  const tags = newTags(input.Tags)
  if (state.profiles[keyOf(name)]) {
    throw refuse('EntityAlreadyExists', `Instance Profile ${name} already exists.`)
  }
  const profile: InstanceProfile = {
    name,
    path,
    tags,
    id: `AIPA${newId(17)}`,
    createdAt: clock.now(),
    role: undefined,
  }
  state.profiles[keyOf(name)] = profile
  return { InstanceProfile: showWhole(profile, call) }
}

export const getInstanceProfile =
  (rules: IamRules) =>
  (input: GetInstanceProfileRequest, call: ProfileCall): GetInstanceProfileResponse => ({
    InstanceProfile: showWhole(findProfile(rules, input.InstanceProfileName, call), call),
  })

export const deleteInstanceProfile =
  (rules: IamRules) =>
  (input: DeleteInstanceProfileRequest, call: ProfileCall): object => {
    const profile = findProfile(rules, input.InstanceProfileName, call)
    if (profile.role !== undefined) {
      throw refuse('DeleteConflict', 'Cannot delete entity, must remove roles from instance profile first.')
    }
    delete call.state.profiles[keyOf(profile.name)]
    return {}
  }

/** A profile holds one role, and this quota cannot be raised ("IAM and STS quotas", IAM user guide). */
export const addRoleToInstanceProfile =
  (rules: IamRules) =>
  (input: AddRoleToInstanceProfileRequest, call: ProfileCall): object => {
    const profile = findProfile(rules, input.InstanceProfileName, call)
    const role = findRole(rules, input.RoleName, call)
    if (profile.role !== undefined) {
      throw refuse('LimitExceeded', 'Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1')
    }
    profile.role = role.name
    return {}
  }

export const removeRoleFromInstanceProfile =
  (rules: IamRules) =>
  (input: RemoveRoleFromInstanceProfileRequest, call: ProfileCall): object => {
    const profile = findProfile(rules, input.InstanceProfileName, call)
    const role = findRole(rules, input.RoleName, call)
    if (profile.role !== role.name) {
      throw refuse('NoSuchEntity', `The role with name ${role.name} cannot be found.`)
    }
    profile.role = undefined
    return {}
  }

export const listInstanceProfiles =
  ({ durations }: IamRules) =>
  (input: ListInstanceProfilesRequest, call: ProfileCall): ListInstanceProfilesResponse => {
    const profiles = Object.values(call.state.profiles).filter(
      profile =>
        profile.path.startsWith(input.PathPrefix ?? '/') &&
        call.clock.now() >= profile.createdAt + durations.profileReadable,
    )
    const { page, more } = pageOf(profiles, profile => profile.name, input)
    return { InstanceProfiles: page.map(profile => show(profile, call)), ...more }
  }

export const listInstanceProfilesForRole =
  (rules: IamRules) =>
  (input: ListInstanceProfilesForRoleRequest, call: ProfileCall): ListInstanceProfilesForRoleResponse => {
    const role = findRole(rules, input.RoleName, call)
    const profiles = Object.values(call.state.profiles).filter(profile => profile.role === role.name)
    const { page, more } = pageOf(profiles, profile => profile.name, input)
    return { InstanceProfiles: page.map(profile => show(profile, call)), ...more }
  }
