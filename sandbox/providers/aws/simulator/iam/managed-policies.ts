import type {
  AttachRolePolicyRequest,
  DetachRolePolicyRequest,
  ListAttachedRolePoliciesRequest,
  ListAttachedRolePoliciesResponse,
} from '@aws-sdk/client-iam'
import { type Call, refuse } from '../service.ts'
import { pageOf } from './pages.ts'
import { findRole } from './roles.ts'
import type { IamRules } from './settings.ts'
import type { IamState } from './state.ts'

type PolicyCall = Call<IamState>

/** Some of AWS's managed policies. Accounts have no others. */
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

export const attachRolePolicy =
  (rules: IamRules) =>
  (input: AttachRolePolicyRequest, call: PolicyCall): object => {
    const role = findRole(rules, input.RoleName, call)
    const arn = input.PolicyArn ?? ''
    if (!ofAws.includes(arn)) {
      throw refuse('NoSuchEntity', `Policy ${arn} does not exist or is not attachable.`)
    }
    if (role.attached.includes(arn)) return {}
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
