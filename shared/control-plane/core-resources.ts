import type { GroupVersionResource } from '../kubernetes/kubernetes.ts'

const namespaced = (group: string, plural: string): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced: true,
})

export const secrets = namespaced('', 'secrets')
export const deployments = namespaced('apps', 'deployments')
