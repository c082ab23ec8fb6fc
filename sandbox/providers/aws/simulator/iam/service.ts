import { serviceModel } from '../codec/model.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { commonRefusals } from '../serve/refusals.ts'
import { takes } from '../serve/takes.ts'
import type { Service } from '../service.ts'
import {
  addRoleToInstanceProfile,
  createInstanceProfile,
  deleteInstanceProfile,
  getInstanceProfile,
  listInstanceProfiles,
  listInstanceProfilesForRole,
  removeRoleFromInstanceProfile,
} from './instance-profiles.ts'
import { attachRolePolicy, detachRolePolicy, listAttachedRolePolicies } from './managed-policies.ts'
import { deleteRolePolicy, getRolePolicy, listRolePolicies, putRolePolicy } from './role-policies.ts'
import { createRole, deleteRole, getRole, listRoles, updateAssumeRolePolicy } from './roles.ts'
import { type IamSettings, rulesOf } from './settings.ts'
import { emptyState, type IamState } from './state.ts'

export const iamModel = serviceModel({
  name: 'iam',
  protocol: 'awsQuery',
  version: '2010-05-08',
  xmlNamespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
  schemas: storedSchemas('iam'),
})

/**
 * Further permissions: tags on a new resource need a tagging permission; a role in a profile is passed to its
 * instances.
 */
const alsoNeeded: Readonly<Record<string, string>> = {
  AddRoleToInstanceProfile: 'iam:PassRole',
  CreateInstanceProfile: 'iam:TagInstanceProfile',
  CreateRole: 'iam:TagRole',
}

/** "Actions defined by IAM", Service Authorization Reference. */
const actionsOf = (operation: string, input: Readonly<Record<string, unknown>>): readonly string[] => {
  const also = alsoNeeded[operation]
  const needed =
    operation === 'AddRoleToInstanceProfile' || (Array.isArray(input.Tags) && input.Tags.length > 0)
  return [`iam:${operation}`, ...(also !== undefined && needed ? [also] : [])]
}

/** IAM: roles, their policies, and instance profiles. */
export const createIam = (settings: IamSettings = {}): Service<IamState> => {
  const rules = rulesOf(settings)
  return {
    model: iamModel,
    scope: 'global',
    signingName: 'iam',
    largestBody: 1024 * 1024,
    createState: emptyState,
    lateRows: { roles: { id: 'name' }, profiles: { id: 'name' } },
    readsOf: ({ roles }) =>
      Object.values(roles).flatMap(({ name }) =>
        ['GetRole', 'ListRolePolicies', 'ListAttachedRolePolicies', 'ListInstanceProfilesForRole'].map(
          operation => [operation, { RoleName: name }] as const,
        ),
      ),
    actionsOf,
    refusals: {
      ...commonRefusals,
      unknownOperation: name => ({
        code: 'InvalidAction',
        message: `Could not find operation ${name} for version ${iamModel.version}`,
        status: 400,
      }),
    },
    handlers: {
      CreateRole: takes(
        createRole,
        'RoleName',
        'Path',
        'AssumeRolePolicyDocument',
        'Description',
        'MaxSessionDuration',
        'PermissionsBoundary',
        'Tags',
      ),
      GetRole: takes(getRole(rules), 'RoleName'),
      DeleteRole: takes(deleteRole(rules), 'RoleName'),
      ListRoles: takes(listRoles(rules), 'PathPrefix', 'Marker', 'MaxItems'),
      UpdateAssumeRolePolicy: takes(updateAssumeRolePolicy(rules), 'RoleName', 'PolicyDocument'),
      PutRolePolicy: takes(putRolePolicy(rules), 'RoleName', 'PolicyName', 'PolicyDocument'),
      GetRolePolicy: takes(getRolePolicy(rules), 'RoleName', 'PolicyName'),
      DeleteRolePolicy: takes(deleteRolePolicy(rules), 'RoleName', 'PolicyName'),
      ListRolePolicies: takes(listRolePolicies(rules), 'RoleName', 'Marker', 'MaxItems'),
      AttachRolePolicy: takes(attachRolePolicy(rules), 'RoleName', 'PolicyArn'),
      DetachRolePolicy: takes(detachRolePolicy(rules), 'RoleName', 'PolicyArn'),
      ListAttachedRolePolicies: takes(listAttachedRolePolicies(rules), 'RoleName', 'Marker', 'MaxItems'),
      CreateInstanceProfile: takes(createInstanceProfile, 'InstanceProfileName', 'Path', 'Tags'),
      GetInstanceProfile: takes(getInstanceProfile(rules), 'InstanceProfileName'),
      DeleteInstanceProfile: takes(deleteInstanceProfile(rules), 'InstanceProfileName'),
      ListInstanceProfiles: takes(listInstanceProfiles(rules), 'PathPrefix', 'Marker', 'MaxItems'),
      ListInstanceProfilesForRole: takes(
        listInstanceProfilesForRole(rules),
        'RoleName',
        'Marker',
        'MaxItems',
      ),
      AddRoleToInstanceProfile: takes(addRoleToInstanceProfile(rules), 'InstanceProfileName', 'RoleName'),
      RemoveRoleFromInstanceProfile: takes(
        removeRoleFromInstanceProfile(rules),
        'InstanceProfileName',
        'RoleName',
      ),
    },
  }
}
