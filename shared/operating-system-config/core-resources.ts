import type { GroupVersionResource } from '../kubernetes/kubernetes.ts'

export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
