import type {
  DeleteRolePolicyRequest,
  GetRolePolicyRequest,
  GetRolePolicyResponse,
  ListRolePoliciesRequest,
  ListRolePoliciesResponse,
  PutRolePolicyRequest,
} from '@aws-sdk/client-iam'
import { type Call, refuse } from '../service.ts'
import { check } from './constraints.ts'
import { pageOf } from './pages.ts'
import { checkPolicy, countedLength, encodeDocument } from './policy-document.ts'
import { findRole } from './roles.ts'
import type { IamRules } from './settings.ts'
import type { IamState, Role } from './state.ts'

type RolePolicyCall = Call<IamState>

/** Maximum number of characters of all inline policies of a role. */
const inlineQuota = 10_240

const findPolicy = (role: Role, name: string): string => {
  const policy = role.policies.find(candidate => candidate.name === name)
  if (!policy) throw refuse('NoSuchEntity', `The role policy with name ${name} cannot be found.`)
  return policy.document
}

export const putRolePolicy =
  (rules: IamRules) =>
  (input: PutRolePolicyRequest, call: RolePolicyCall): object => {
    const name = check('policyName', input.PolicyName)
    const role = findRole(rules, input.RoleName, call)
    const document = input.PolicyDocument ?? ''
    checkPolicy(document)
    const others = role.policies.filter(policy => policy.name !== name)
    const size = others.reduce((sum, policy) => sum + countedLength(policy.document), countedLength(document))
    if (size > inlineQuota) {
      throw refuse(
        'LimitExceeded',
        `Maximum policy size of ${inlineQuota} bytes exceeded for role ${role.name}`,
      )
    }
    role.policies = [...others, { name, document }]
    return {}
  }

export const getRolePolicy =
  (rules: IamRules) =>
  (input: GetRolePolicyRequest, call: RolePolicyCall): GetRolePolicyResponse => {
    const role = findRole(rules, input.RoleName, call)
    const name = check('policyName', input.PolicyName)
    return {
      RoleName: role.name,
      PolicyName: name,
      PolicyDocument: encodeDocument(findPolicy(role, name)),
    }
  }

export const deleteRolePolicy =
  (rules: IamRules) =>
  (input: DeleteRolePolicyRequest, call: RolePolicyCall): object => {
    const role = findRole(rules, input.RoleName, call)
    const name = check('policyName', input.PolicyName)
    findPolicy(role, name)
    role.policies = role.policies.filter(policy => policy.name !== name)
    return {}
  }

export const listRolePolicies =
  (rules: IamRules) =>
  (input: ListRolePoliciesRequest, call: RolePolicyCall): ListRolePoliciesResponse => {
    const names = findRole(rules, input.RoleName, call).policies.map(({ name }) => name)
    const { page, more } = pageOf(names, name => name, input)
    return { PolicyNames: page, ...more }
  }
