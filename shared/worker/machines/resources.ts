import type { GroupVersionResource } from '../../kubernetes/kubernetes.ts'

const group = 'machine.sapcloud.io'
const version = 'v1alpha1'

export const machineApiVersion = `${group}/${version}`

const machineResource = (plural: string): GroupVersionResource => ({
  group,
  version,
  plural,
  namespaced: true,
})

export const machineDeployments = machineResource('machinedeployments')
export const machineSets = machineResource('machinesets')
export const machines = machineResource('machines')
export const machineClasses = machineResource('machineclasses')

export const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}
export const pods: GroupVersionResource = { group: '', version: 'v1', plural: 'pods', namespaced: true }
