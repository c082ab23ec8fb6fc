import { clusterKind } from '../../../../shared/contract/kinds.ts'
import { shortKeys } from '../../../../shared/control-plane/testing/short-keys.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { rememberingComparison } from '../../../../shared/resources/resources.ts'
import { functionSeed, type Interference } from '../../../../shared/resources/testing/function-seed.ts'
import { definition as ofShoots } from '../../webhooks/kube-apiserver/webhook.ts'
import { definition as ofGarden } from '../../webhooks/virtual-garden-kube-apiserver/webhook.ts'
import { definition } from '../function.ts'
import { imageTable } from '../images.ts'
import { seedName } from '../managed-resources.ts'
import { reconcileExtension } from '../reconcile.ts'
import { removeExtension } from '../remove.ts'

export const namespace = 'shoot--garden--one'
export const name = 'shoot-oidc-service'
export const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true } as const
export const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true } as const
export const gardens = {
  group: 'operator.gardener.cloud',
  version: 'v1alpha1',
  plural: 'gardens',
  namespaced: false,
} as const

/** Of gardener-operator, as far as it is read here. */
const gardenDefinition: KubernetesObject = {
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
  /** Absent: two replicas; null: there is none yet. */
  readonly apiServer?: number | null
  /** Whether the process of the webhooks answers. */
  readonly hasWebhook?: boolean
  /** Whether pods come up as soon as a Deployment is applied. */
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

const apiServerOf = (deployment: string, inNamespace: string, replicas: number): KubernetesObject => ({
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

/** A seed with the Extension, an API server that is shown to the webhook, and a resource manager that applies what is in the seed. */
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
  const apiServerName = isGarden ? 'virtual-garden-kube-apiserver' : 'kube-apiserver'
  const options = { images: imageTable, createKeyPair: shortKeys(), compare: rememberingComparison() }
  const objects: (readonly [GroupVersionResource, KubernetesObject])[] = []
  if (isGarden) {
    if (garden !== null) objects.push([gardens, garden])
  } else {
    objects.push([
      clusterKind.resource,
      {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Cluster',
        metadata: {
          name: namespace,
          annotations: {
            'generic-token-kubeconfig.secret.gardener.cloud/name': 'generic-token-kubeconfig-1',
          },
        },
        spec: {
          cloudProfile: {},
          seed: {},
          shoot: { spec: { kubernetes: { version: '1.33.3' } }, ...shoot },
        },
      },
    ])
  }
  if (apiServer !== null) objects.push([deployments, apiServerOf(apiServerName, inNamespace, apiServer)])
  const seed = await functionSeed({
    definition,
    namespace: inNamespace,
    objects,
    definitions: [gardenDefinition],
    actuator: {
      reconcile: step => reconcileExtension(options, step),
      remove: step => removeExtension(step, 'delete'),
      forceRemove: step => removeExtension(step, 'force'),
      migrate: step => removeExtension(step, 'migrate'),
    },
  })
  const { kubernetes } = seed
  const key = (of: string) => ({ name: of, namespace: inNamespace })

  /** As a controller of Deployments does. */
  const rollOut = async (of: string) => {
    const found = await kubernetes.get(deployments, key(of))
    if (found === undefined) return
    const { replicas } = Object(found.spec)
    const status = {
      observedGeneration: found.metadata.generation ?? 0,
      replicas,
      updatedReplicas: replicas,
      availableReplicas: replicas,
    }
    await kubernetes.patch(deployments, key(of), { status }, { subresource: 'status' })
  }
  /** As a resource manager does with what is in the seed; the other kinds do not matter here. */
  const applySeed = async () => {
    for (const object of await seed.objectsOf(seedName).catch(() => [])) {
      const of = object.kind === 'Deployment' ? deployments : object.kind === 'Secret' ? secrets : undefined
      if (of === undefined) continue
      const present = await kubernetes.get(of, key(object.metadata.name))
      if (present === undefined) await kubernetes.create(of, object)
      else
        await kubernetes.patch(of, key(object.metadata.name), {
          spec: object.spec ?? null,
          data: object.data ?? null,
        })
      if (object.kind === 'Deployment' && rollsOut) await rollOut(object.metadata.name)
    }
  }
  /** As the API server of the seed does before it stores a Deployment. */
  const askWebhook = async () => {
    const object = await kubernetes.get(deployments, key(apiServerName))
    if (object === undefined || !hasWebhook) return
    const { review } = isGarden ? ofGarden : ofShoots
    const { changed } = await review(
      {
        uid: 'u',
        operation: 'UPDATE',
        resource: { group: 'apps', version: 'v1', plural: 'deployments' },
        namespace: inNamespace,
        name: apiServerName,
        object,
        oldObject: object,
        dryRun: false,
      },
      kubernetes,
      {},
    )
    if (changed !== undefined) await kubernetes.patch(deployments, key(apiServerName), { spec: changed.spec })
    if (rollsOut) await rollOut(apiServerName)
  }
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
      await seed.settle(name)
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
