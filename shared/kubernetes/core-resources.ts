/** Resources of Kubernetes itself that many parts read. */

import type { GroupVersionResource } from './port.ts'

const resource = (plural: string, { group = '', namespaced = true } = {}): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})

export const namespaces = resource('namespaces', { namespaced: false })
/** Nodes. */
export const nodes = resource('nodes', { namespaced: false })
/** ConfigMaps. */
export const configMaps = resource('configmaps')
export const pods = resource('pods')
/** Secrets. */
export const secrets = resource('secrets')
export const services = resource('services')
/** Deployments. */
export const deployments = resource('deployments', { group: 'apps' })
export const statefulSets = resource('statefulsets', { group: 'apps' })
export const daemonSets = resource('daemonsets', { group: 'apps' })
