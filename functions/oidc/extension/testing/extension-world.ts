import { clusterKind } from '../../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { rememberingComparison } from '../../../../shared/resources/resources.ts'
import { functionSeed, type Interference } from '../../../../shared/resources/testing/function-seed.ts'
import { shortKeys } from '../../../../shared/secrets-manager/testing/short-keys.ts'
import { definition } from '../function.ts'
import { imageTable } from '../images.ts'
import { reconcileExtension } from '../reconcile.ts'
import { removeExtension } from '../remove.ts'
import { apiServerNameOf, deployments, imitatedOthers } from './imitated-others.ts'

const namespace = 'shoot--garden--one'
export const name = 'shoot-oidc-service'
export const gardens = {
  group: 'operator.gardener.cloud',
  version: 'v1alpha1',
  plural: 'gardens',
  namespaced: false,
} as const

/** The fields of gardener-operator's Garden that are read here. */
export const gardenDefinition: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gardens.operator.gardener.cloud' },
  spec: {
    group: gardens.group,
    scope: 'Cluster',
    names: { kind: 'Garden', listKind: 'GardenList', plural: 'gardens', singular: 'garden' },
    versions: [
      {
        name: gardens.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

export interface WorldOptions {
  readonly extensionClass?: 'shoot' | 'garden'
  readonly shoot?: object
  /** Absent: two replicas; null: the API server does not exist yet. */
  readonly apiServer?: number | null
  /** True if the process of the webhooks responds. */
  readonly hasWebhook?: boolean
  /** True if pods start as soon as a Deployment is applied. */
  readonly rollsOut?: boolean
  readonly garden?: KubernetesObject | null
}

export const gardenOf = (fields: object = {}): KubernetesObject => ({
  apiVersion: 'operator.gardener.cloud/v1alpha1',
  kind: 'Garden',
  metadata: {
    name: 'local',
    annotations: { 'generic-token-kubeconfig.secret.gardener.cloud/name': 'generic-token-kubeconfig-1' },
  },
  ...fields,
})

export const apiServerOf = (deployment: string, inNamespace: string, replicas: number): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: deployment, namespace: inNamespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'kubernetes' } },
    template: {
      metadata: { labels: { app: 'kubernetes' } },
      spec: {
        containers: [{ name: 'kube-apiserver', image: 'a', args: ['--anonymous-auth=false'] }],
      },
    },
  },
})

/**
 * A seed with the Extension, an API server that the webhook reviews, and a resource manager that applies the objects
 * for the seed.
 */
export const extensionWorld = async ({
  extensionClass = 'shoot',
  shoot = {},
  apiServer = 2,
  hasWebhook = true,
  rollsOut = true,
  garden = gardenOf(),
}: WorldOptions = {}) => {
  const isGarden = extensionClass === 'garden'
  const inNamespace = isGarden ? 'garden' : namespace
  const apiServerName = apiServerNameOf(isGarden)
  const options = { images: imageTable, createKeyPair: shortKeys(), compare: rememberingComparison() }
  const tokenAnnotations = {
    'generic-token-kubeconfig.secret.gardener.cloud/name': 'generic-token-kubeconfig-1',
  }
  const cluster: KubernetesObject = {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace, annotations: tokenAnnotations },
    spec: {
      cloudProfile: {},
      seed: {},
      shoot: { spec: { kubernetes: { version: '1.33.3' } }, ...shoot },
    },
  }
  const owner = isGarden ? garden : cluster
  const seed = await functionSeed({
    definition,
    namespace: inNamespace,
    objects: [
      gardenDefinition,
      ...(owner === null ? [] : [owner]),
      ...(apiServer === null ? [] : [apiServerOf(apiServerName, inNamespace, apiServer)]),
    ],
    actuator: {
      reconcile: step => reconcileExtension(options, step),
      remove: step => removeExtension(step, 'delete'),
      forceRemove: step => removeExtension(step, 'force'),
      migrate: step => removeExtension(step, 'migrate'),
    },
  })
  const { kubernetes } = seed
  const { applySeed, askWebhook, rollOut } = imitatedOthers({
    kubernetes,
    namespace: inNamespace,
    isGarden,
    hasWebhook,
    rollsOut,
  })
  const key = (of: string) => ({ name: of, namespace: inNamespace })
  const interfereWith = ({ before, after }: Interference) =>
    seed.interfereWith({
      before: async call => {
        await before?.(call)
        if (call === `patch deployments ${apiServerName}`) await askWebhook()
      },
      after: async call => {
        if (/^(create|patch) managedresources extension-shoot-oidc-service-seed/.test(call)) await applySeed()
        await after?.(call)
      },
    })
  interfereWith({})

  return {
    ...seed,
    interfereWith,
    namespace: inNamespace,
    rollOut,
    apiServer: () => kubernetes.get(deployments, key(apiServerName)),
    authenticator: () => kubernetes.get(deployments, key('oidc-webhook-authenticator')),
    create: async (operation = 'reconcile') => {
      await seed.make(
        {
          apiVersion: 'extensions.gardener.cloud/v1alpha1',
          kind: 'Extension',
          metadata: { name },
          spec: { type: 'shoot-oidc-service', ...(isGarden && { class: 'garden' }) },
        },
        operation,
      )
    },
    reconcile: async () => {
      await seed.clock.advance(5_000)
      await seed.ask(name, 'reconcile')
      await seed.converge(name)
    },
    rotate: async (rotation: object) => {
      const credentials = { rotation: { certificateAuthorities: rotation } }
      if (isGarden) await kubernetes.patch(gardens, { name: 'local' }, { status: { credentials } })
      else
        await kubernetes.patch(
          clusterKind.resource,
          { name: namespace },
          { spec: { shoot: { status: { credentials } } } },
        )
    },
  }
}
export type ExtensionWorld = Awaited<ReturnType<typeof extensionWorld>>
