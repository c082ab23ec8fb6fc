import type { Deployment } from '../deployment.ts'

export const rbacGroup = 'rbac.authorization.k8s.io'

/**
 * The name of a ClusterRole and its binding, in the format of extensions: two installations in one cluster have two.
 */
export const clusterRoleName = ({ name }: Pick<Deployment, 'name'>, account: string): string =>
  `extensions.gardener.cloud:${name}:${account}`
