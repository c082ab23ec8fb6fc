import type {
  CreateRoleRequest,
  CreateRoleResponse,
  DeleteRoleRequest,
  GetRoleRequest,
  GetRoleResponse,
  ListRolesRequest,
  ListRolesResponse,
  Role as RoleOutput,
  UpdateAssumeRolePolicyRequest,
} from '@aws-sdk/client-iam'
import { type Call, refuse } from '../service.ts'
import { check, newTags } from './constraints.ts'
import { pageOf } from './pages.ts'
import { checkTrustPolicy, countedLength, encodeDocument } from './policy-document.ts'
import type { IamRules } from './settings.ts'
import { type IamState, keyOf, type Role } from './state.ts'

type RoleCall = Call<IamState>

const noSuchRole = (name: string) => refuse('NoSuchEntity', `The role with name ${name} cannot be found.`)

/**
 * Returns a role that is already readable.
 *
 * @throws AwsError NoSuchEntity
 */
export const findRole = (rules: IamRules, name: string | undefined, call: RoleCall): Role => {
  const { state, clock } = call
  const role = state.roles[keyOf(check('roleName', name))]
  if (!role || call.isHidden?.('roles', role.name)) throw noSuchRole(name ?? '')
  if (clock.now() < role.createdAt + rules.durations.roleReadable) throw noSuchRole(name ?? '')
  return role
}

const roleArn = (accountId: string, { path, name }: Pick<Role, 'path' | 'name'>): string =>
  `arn:aws:iam::${accountId}:role${path}${name}`

/** The fields that lists and instance profiles show. GetRole shows more. */
export const showRole = (role: Role, accountId: string) => ({
  Path: role.path,
  RoleName: role.name,
  RoleId: role.id,
  Arn: roleArn(accountId, role),
  CreateDate: new Date(role.createdAt),
  AssumeRolePolicyDocument: encodeDocument(role.trust),
})

const showBoundary = ({ boundary }: Role) =>
  boundary === undefined
    ? {}
    : {
        PermissionsBoundary: {
          PermissionsBoundaryType: 'PermissionsBoundaryPolicy' as const,
          PermissionsBoundaryArn: boundary,
        },
      }

const showWhole = (role: Role, accountId: string): RoleOutput => ({
  ...showRole(role, accountId),
  ...(role.description === undefined ? {} : { Description: role.description }),
  MaxSessionDuration: role.maxSession,
  ...showBoundary(role),
  ...(role.tags.length > 0 ? { Tags: role.tags } : {}),
})

const checkTrustSize = (text: string): void => {
  if (countedLength(text) > 2048)
    throw refuse('LimitExceeded', 'Cannot exceed quota for ACLSizePerRole: 2048')
}

export const createRole = (input: CreateRoleRequest, call: RoleCall): CreateRoleResponse => {
  const { state, principal, clock, newId } = call
  const name = check('roleName', input.RoleName)
  const path = check('path', input.Path ?? '/')
  const trust = input.AssumeRolePolicyDocument ?? ''
  const maxSession = input.MaxSessionDuration ?? 3600
  check('description', input.Description)
  const tags = newTags(input.Tags)
  if (state.roles[keyOf(name)]) throw refuse('EntityAlreadyExists', `Role with name ${name} already exists.`)
  checkTrustPolicy(trust)
  checkTrustSize(trust)
  const role: Role = {
    name,
    path,
    trust,
    maxSession,
    tags,
    id: `AROA${newId(17)}`,
    createdAt: clock.now(),
    description: input.Description,
    boundary: input.PermissionsBoundary,
    policies: [],
    attached: [],
  }
  state.roles[keyOf(name)] = role
  return {
    Role: {
      ...showRole(role, principal.accountId),
      ...showBoundary(role),
      ...(tags.length > 0 ? { Tags: tags } : {}),
    },
  }
}

export const getRole =
  (rules: IamRules) =>
  (input: GetRoleRequest, call: RoleCall): GetRoleResponse => ({
    Role: { ...showWhole(findRole(rules, input.RoleName, call), call.principal.accountId), RoleLastUsed: {} },
  })

/** @throws AwsError DeleteConflict while the role has policies or is in an instance profile */
export const deleteRole =
  (rules: IamRules) =>
  (input: DeleteRoleRequest, call: RoleCall): object => {
    const role = findRole(rules, input.RoleName, call)
    const { profiles, roles } = call.state
    if (Object.values(profiles).some(profile => profile.role === role.name)) {
      throw refuse('DeleteConflict', 'Cannot delete entity, must remove roles from instance profile first.')
    }
    if (role.attached.length > 0) {
      throw refuse('DeleteConflict', 'Cannot delete entity, must detach all policies first.')
    }
    if (role.policies.length > 0) {
      throw refuse('DeleteConflict', 'Cannot delete entity, must delete policies first.')
    }
    delete roles[keyOf(role.name)]
    return {}
  }

export const listRoles =
  ({ durations }: IamRules) =>
  (input: ListRolesRequest, { state, principal, clock }: RoleCall): ListRolesResponse => {
    const roles = Object.values(state.roles).filter(
      role =>
        role.path.startsWith(input.PathPrefix ?? '/') &&
        clock.now() >= role.createdAt + durations.roleReadable,
    )
    const { page, more } = pageOf(roles, role => role.name, input)
    // A list shows no tags, boundary or last use ("ListRoles", API reference).
    const shown = page.map(role => {
      const { Tags: _, PermissionsBoundary: __, ...rest } = showWhole(role, principal.accountId)
      return rest
    })
    return { Roles: shown, ...more }
  }

export const updateAssumeRolePolicy =
  (rules: IamRules) =>
  (input: UpdateAssumeRolePolicyRequest, call: RoleCall): object => {
    const role = findRole(rules, input.RoleName, call)
    const trust = input.PolicyDocument ?? ''
    checkTrustPolicy(trust)
    checkTrustSize(trust)
    role.trust = trust
    return {}
  }
