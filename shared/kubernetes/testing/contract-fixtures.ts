import type { GroupVersionResource, Kubernetes, KubernetesObject } from '../port.ts'
import { KubernetesError } from '../port.ts'

/** An API server under test. */
export interface ContractSubject {
  readonly kubernetes: Kubernetes
  /** Advances the server's clock by this many milliseconds. */
  passTime(milliseconds: number): Promise<void>
  /** Makes all versions up to now too old for a watch (etcd: compaction). Absent: cases that need it are skipped. */
  forgetHistory?(): Promise<void>
  close(): Promise<void>
}

/** Shared by the suite's cases. */
export interface ContractContext {
  subject(): ContractSubject
  /** Creates a separate namespace for a case. */
  namespace(): Promise<string>
}

export const group = 'contract.trellis.gardener.cloud'

/** Namespaced, with a status subresource and a schema. */
export const widgets: GroupVersionResource = { group, version: 'v1', plural: 'widgets', namespaced: true }
export const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}
/** Cluster-scoped, without a status subresource. */
export const gadgets: GroupVersionResource = { group, version: 'v1', plural: 'gadgets', namespaced: false }
export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
export const namespaces: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespaced: false,
}
export const definitions: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
}

const definition = (
  names: { readonly plural: string; readonly kind: string },
  scope: string,
  version: object,
): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${names.plural}.${group}` },
  spec: { group, scope, names, versions: [{ name: 'v1', served: true, storage: true, ...version }] },
})

const widgetSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1 },
        color: { type: 'string', enum: ['red', 'green'] },
        shape: {
          type: 'string',
          default: 'round',
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'Value is immutable' }],
        },
        parts: { type: 'array', items: { type: 'string' } },
        extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

const contractDefinitions: readonly KubernetesObject[] = [
  definition({ plural: 'widgets', kind: 'Widget' }, 'Namespaced', {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.size',
        statusReplicasPath: '.status.size',
        labelSelectorPath: '.status.selector',
      },
    },
    schema: { openAPIV3Schema: widgetSchema },
    selectableFields: [{ jsonPath: '.spec.color' }],
  }),
  definition({ plural: 'gadgets', kind: 'Gadget' }, 'Cluster', {
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }),
]

export const widget = (namespace: string, name: string, spec: object = { size: 1 }): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name, namespace },
  spec,
})

export const gadget = (name: string, fields: object): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Gadget',
  metadata: { name },
  ...fields,
})

/** Retries `attempt` until it succeeds; `pause` waits a moment. An API server needs time to serve a new CRD. */
const untilServed = async (attempt: () => Promise<unknown>, pause: () => Promise<void>): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      await attempt()
      return
    } catch (error) {
      if (tries === 100 || !(error instanceof KubernetesError)) throw error
      await pause()
    }
  }
}

/** Creates the kinds of the suite if needed, and waits until they are served. */
export const installContractKinds = async (
  kubernetes: Kubernetes,
  pause: () => Promise<void>,
): Promise<void> => {
  for (const object of contractDefinitions) {
    const present = await kubernetes.get(definitions, { name: object.metadata.name })
    if (!present) await kubernetes.create(definitions, object)
  }
  await untilServed(() => kubernetes.list(widgets), pause)
  await untilServed(() => kubernetes.list(gadgets), pause)
}
