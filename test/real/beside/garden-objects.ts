import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

const group = 'core.gardener.cloud'

const definitionOf = (kind: string, version: string): KubernetesObject => {
  const plural = `${kind.toLowerCase()}s`
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  }
}

/** Definitions in place of Gardener's API server. */
export const gardenDefinitions = [
  definitionOf('ControllerDeployment', 'v1'),
  definitionOf('ControllerRegistration', 'v1beta1'),
  definitionOf('ControllerInstallation', 'v1beta1'),
]

export const controllerDeployments = {
  group,
  version: 'v1',
  plural: 'controllerdeployments',
  namespaced: false,
}
export const controllerRegistrations = {
  group,
  version: 'v1beta1',
  plural: 'controllerregistrations',
  namespaced: false,
}

export const controllerInstallations = {
  group,
  version: 'v1beta1',
  plural: 'controllerinstallations',
  namespaced: false,
}

/** As in gardener-extension-provider-aws 2ff8d818, example/controller-registration.yaml, without the chart. */
export const providerAws: readonly KubernetesObject[] = [
  {
    apiVersion: `${group}/v1`,
    kind: 'ControllerDeployment',
    metadata: { name: 'provider-aws' },
    helm: {
      ociRepository: { ref: 'registry.example.com/charts/provider-aws:v1' },
      values: { image: { tag: 'v1' } },
    },
  },
  {
    apiVersion: `${group}/v1beta1`,
    kind: 'ControllerRegistration',
    metadata: { name: 'provider-aws' },
    spec: {
      deployment: { deploymentRefs: [{ name: 'provider-aws' }] },
      resources: [
        { kind: 'BackupBucket', type: 'aws' },
        { kind: 'BackupEntry', type: 'aws' },
        { kind: 'Bastion', type: 'aws' },
        { kind: 'ControlPlane', type: 'aws' },
        { kind: 'DNSRecord', type: 'aws-route53' },
        { kind: 'Infrastructure', type: 'aws' },
        { kind: 'Worker', type: 'aws' },
      ],
    },
  } as KubernetesObject,
]

/** The fields that a switch changes. */
export interface Registered {
  readonly disabled: readonly string[]
  readonly resources: readonly unknown[]
}

export const registeredOf = (deployment: unknown, registration: unknown): Registered => ({
  disabled: [...(Object(Object(Object(deployment).helm).values).disableControllers ?? [])].toSorted(),
  resources: Object(Object(registration).spec).resources ?? [],
})

/** Reads a file of knative/registration/beside. */
export const registeredIn = async (file: string): Promise<Registered> => {
  const text = await readFile(
    new URL(`../../../knative/registration/beside/${file}`, import.meta.url),
    'utf8',
  )
  const [deployment, registration] = parseAllDocuments(text).map(document => document.toJS() as unknown)
  return registeredOf(deployment, registration)
}
