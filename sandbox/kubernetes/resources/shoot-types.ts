import { builtIn } from './core-types.ts'
import type { ResourceDefinition } from './resource-definition.ts'

const admission = (plural: string, kind: string): ResourceDefinition =>
  builtIn({
    group: 'admissionregistration.k8s.io',
    plural,
    kind,
    namespaced: false,
    countsGenerations: true,
  })

/** What control planes have in shoots. Stored like any object: nobody runs a pod, makes a volume or asks a webhook. */
export const shootTypes: readonly ResourceDefinition[] = [
  builtIn({
    group: 'apps',
    plural: 'daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    shortNames: ['ds'],
    categories: ['all'],
    hasStatus: true,
    countsGenerations: true,
  }),
  builtIn({ plural: 'nodes', kind: 'Node', namespaced: false, shortNames: ['no'], hasStatus: true }),
  builtIn({
    group: 'storage.k8s.io',
    plural: 'storageclasses',
    kind: 'StorageClass',
    namespaced: false,
    shortNames: ['sc'],
  }),
  builtIn({ group: 'storage.k8s.io', plural: 'csidrivers', kind: 'CSIDriver', namespaced: false }),
  admission('mutatingadmissionpolicies', 'MutatingAdmissionPolicy'),
  admission('mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding'),
  admission('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'),
  admission('validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'),
]
