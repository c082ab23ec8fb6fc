import type { GroupVersionResource } from '../kubernetes/kubernetes.ts'

export const namespaces: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespaced: false,
}
export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
