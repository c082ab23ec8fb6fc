import type { GroupVersionResource } from '../../../../build/library/trellis.ts'

export const configMaps: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
}

export const scrapeConfigs: GroupVersionResource = {
  group: 'monitoring.coreos.com',
  version: 'v1alpha1',
  plural: 'scrapeconfigs',
  namespaced: true,
}
