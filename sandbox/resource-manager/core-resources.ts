import type { GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'

export const namespaces: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespaced: false,
}
export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
export const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}
