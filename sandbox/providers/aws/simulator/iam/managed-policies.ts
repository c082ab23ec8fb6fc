import type {
  AttachRolePolicyRequest,
  CreatePolicyRequest,
  CreatePolicyResponse,
  DeletePolicyRequest,
  DetachRolePolicyRequest,
  GetPolicyRequest,
  GetPolicyResponse,
  ListAttachedRolePoliciesRequest,
  ListAttachedRolePoliciesResponse,
  Policy,
} from '@aws-sdk/client-iam'
import { type Call, refuse } from '../service.ts'
import { check, withTags } from './constraints.ts'
import { pageOf } from './pages.ts'
import { checkPolicy, countedLength } from './policy-document.ts'
import { findRole } from './roles.ts'
import type { IamRules } from './settings.ts'
import type { IamState, ManagedPolicy } from './state.ts'

type PolicyCall = Call<IamState>

/** Some of AWS's managed policies, which every account has. */
const ofAws = [
  'AdministratorAccess',
  'AmazonEC2ContainerRegistryReadOnly',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEKS_CNI_Policy',
  'AmazonS3ReadOnlyAccess',
  'AmazonSSMManagedInstanceCore',
  'ReadOnlyAccess',
].map(name => `arn:aws:iam::aws:policy/${name}`)

const nameOf = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1)

const findPolicy = (arn: string, { state }: PolicyCall): ManagedPolicy => {
  const policy = state.policies[arn]
  if (!policy) throw refuse('NoSuchEntity', `Policy ${arn} was not found.`)
  return policy
}

const attachments = ({ state }: PolicyCall, arn: string): number =>
  Object.values(state.roles).filter(role => role.attached.includes(arn)).length

const show = (policy: ManagedPolicy, call: PolicyCall): Policy => ({
  PolicyName: policy.name,
  PolicyId: policy.id,
  Arn: policy.arn,
  Path: policy.path,
  DefaultVersionId: 'v1',
  AttachmentCount: attachments(call, policy.arn),
  PermissionsBoundaryUsageCount: Object.values(call.state.roles).filter(role => role.boundary === policy.arn)
    .length,
  IsAttachable: true,
  CreateDate: new Date(policy.createdAt),
  UpdateDate: new Date(policy.createdAt),
})

export const createPolicy =
  ({ limits }: IamRules) =>
  (input: CreatePolicyRequest, call: PolicyCall): CreatePolicyResponse => {
    const { state, principal, clock, newId } = call
    const name = check('policyName', input.PolicyName)
    const path = check('path', input.Path ?? '/')
    const document = input.PolicyDocument ?? ''
    const tags = withTags([], input.Tags ?? [], 'Policy')
    const arn = `arn:aws:iam::${principal.accountId}:policy${path}${name}`
    const names = Object.values(state.policies).map(policy => policy.name.toLowerCase())
    if (names.includes(name.toLowerCase())) {
      throw refuse(
        'EntityAlreadyExists',
        `A policy called ${name} already exists. Duplicate names are not allowed.`,
      )
    }
    checkPolicy(document)
    if (countedLength(document) > 6144) {
      throw refuse('LimitExceeded', 'Cannot exceed quota for PolicySize: 6144')
    }
    if (names.length >= limits.policiesPerAccount) {
      throw refuse(
        'LimitExceeded',
        `Cannot exceed quota for PoliciesPerAccount: ${limits.policiesPerAccount}`,
      )
    }
    const policy: ManagedPolicy = {
      name,
      path,
      arn,
      document,
      tags,
      id: `ANPA${newId(17)}`,
      createdAt: clock.now(),
      description: input.Description,
    }
    state.policies[arn] = policy
    return { Policy: { ...show(policy, call), ...(tags.length > 0 ? { Tags: tags } : {}) } }
  }

export const getPolicy = (input: GetPolicyRequest, call: PolicyCall): GetPolicyResponse => {
  const policy = findPolicy(input.PolicyArn ?? '', call)
  return {
    Policy: {
      ...show(policy, call),
      ...(policy.description === undefined ? {} : { Description: policy.description }),
      Tags: policy.tags,
    },
  }
}

export const deletePolicy = (input: DeletePolicyRequest, call: PolicyCall): object => {
  const { arn } = findPolicy(input.PolicyArn ?? '', call)
  if (attachments(call, arn) > 0) {
    throw refuse('DeleteConflict', 'Cannot delete a policy attached to entities.')
  }
  delete call.state.policies[arn]
  return {}
}

export const attachRolePolicy =
  (rules: IamRules) =>
  (input: AttachRolePolicyRequest, call: PolicyCall): object => {
    const role = findRole(rules, input.RoleName, call)
    const arn = input.PolicyArn ?? ''
    if (!ofAws.includes(arn) && !call.state.policies[arn]) {
      throw refuse('NoSuchEntity', `Policy ${arn} does not exist or is not attachable.`)
    }
    if (role.attached.includes(arn)) return {}
    if (role.attached.length >= rules.limits.policiesPerRole) {
      throw refuse(
        'LimitExceeded',
        `Cannot exceed quota for PoliciesPerRole: ${rules.limits.policiesPerRole}`,
      )
    }
    role.attached = [...role.attached, arn]
    return {}
  }

export const detachRolePolicy =
  (rules: IamRules) =>
  (input: DetachRolePolicyRequest, call: PolicyCall): object => {
    const role = findRole(rules, input.RoleName, call)
    const arn = input.PolicyArn ?? ''
    if (!role.attached.includes(arn)) throw refuse('NoSuchEntity', `Policy ${arn} was not found.`)
    role.attached = role.attached.filter(other => other !== arn)
    return {}
  }

export const listAttachedRolePolicies =
  (rules: IamRules) =>
  (input: ListAttachedRolePoliciesRequest, call: PolicyCall): ListAttachedRolePoliciesResponse => {
    const arns = findRole(rules, input.RoleName, call).attached
    const { page, more } = pageOf(arns, arn => arn, input)
    return { AttachedPolicies: page.map(arn => ({ PolicyName: nameOf(arn), PolicyArn: arn })), ...more }
  }
