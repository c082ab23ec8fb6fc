import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1RoleBinding,
  V1ServiceAccount,
} from '@kubernetes/client-node'
import type { Rendered } from '../../shared/kubernetes/kubernetes.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'
import { clusterRoleName, rbacGroup } from './names.ts'
import { type ReasonedRule, ruleComments } from './unique-rules.ts'

type Where = Pick<Deployment, 'name' | 'namespace'>

export const serviceAccountOf = (
  { namespace }: Pick<Where, 'namespace'>,
  name: string,
): Rendered<V1ServiceAccount> => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } })

/** The ClusterRole of an account. @param comment above it, with one above each rule that has a reason */
export const clusterRoleOf = (
  where: Where,
  account: string,
  rules: readonly ReasonedRule[],
  comment: string,
): Explained<Rendered<V1ClusterRole>> =>
  explained(
    {
      apiVersion: `${rbacGroup}/v1`,
      kind: 'ClusterRole',
      metadata: { name: clusterRoleName(where, account) },
      rules: rules.map(({ rule }) => rule),
    },
    [comment, ...ruleComments(rules)],
  )

/** Binds an account to the ClusterRole of its name. */
export const clusterRoleBindingOf = (
  where: Where,
  account: string,
  subject: { readonly name: string; readonly namespace: string } = {
    name: account,
    namespace: where.namespace,
  },
): Rendered<V1ClusterRoleBinding> => {
  const name = clusterRoleName(where, account)
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', ...subject }],
  }
}

/** Binds an account to the Role of its name, in its own namespace. */
export const roleBindingOf = (
  { namespace }: Pick<Where, 'namespace'>,
  account: string,
): Rendered<V1RoleBinding> => ({
  apiVersion: `${rbacGroup}/v1`,
  kind: 'RoleBinding',
  metadata: { name: account, namespace },
  roleRef: { apiGroup: rbacGroup, kind: 'Role', name: account },
  subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
})
