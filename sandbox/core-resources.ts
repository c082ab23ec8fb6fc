import type { GroupVersionResource } from '../shared/kubernetes/kubernetes.ts'

const resource = (plural: string, group = '', namespaced = true): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})

export const namespaces = resource('namespaces', '', false)
export const nodes = resource('nodes', '', false)
export const secrets = resource('secrets')
export const pods = resource('pods')
export const deployments = resource('deployments', 'apps')
