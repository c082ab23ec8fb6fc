import { definition as calico } from '../../../functions/calico/network/function.ts'
import { definition as gvisor } from '../../../functions/gvisor/containerruntime/function.ts'
import { configWith } from '../../../functions/gvisor/containerruntime/testing/runtimes.ts'
import { definition as oidc } from '../../../functions/oidc/extension/function.ts'
import { apiServerOf, gardenOf, gardens } from '../../../functions/oidc/extension/testing/extension-world.ts'
import { imitatedOthers } from '../../../functions/oidc/extension/testing/imitated-others.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { imitatedResourceManager } from '../../../shared/resources/testing/resource-manager.ts'
import type { FunctionLife } from './function-life.ts'

const resourceManager = (kubernetes: Kubernetes, namespace: string) =>
  imitatedResourceManager(kubernetes, namespace).work

const calicoLife: FunctionLife = {
  definition: calico,
  example: 'network/calico.yaml',
  change: { spec: { providerConfig: { overlay: { enabled: true } } } },
  overtaken: ['secrets', 'configmaps', 'scrapeconfigs'],
  others: resourceManager,
}

const gvisorLife: FunctionLife = {
  definition: gvisor,
  example: 'containerruntime/two-pools.yaml',
  change: { spec: { binaryPath: '/opt/runtimes', providerConfig: configWith({ 'net-raw': 'true' }) } },
  overtaken: ['secrets'],
  others: resourceManager,
}

/** Returns true for the namespace of a garden, false for that of a shoot. */
const isGarden = (namespace: string): boolean => namespace === 'garden'

const oidcLife: FunctionLife = {
  definition: oidc,
  example: 'extension/oidc.yaml',
  change: { metadata: { labels: { a: 'b' } } },
  besides: namespace => [apiServerOf('kube-apiserver', namespace, 1)],
  others: (kubernetes, namespace) => async () => {
    await imitatedResourceManager(kubernetes, namespace).work()
    await imitatedOthers({ kubernetes, namespace, isGarden: isGarden(namespace) }).applySeed()
  },
  around: (fn, kubernetes, namespace) => ({
    ...fn,
    patch: async (resource, ...rest) => {
      if (resource.plural === 'deployments')
        await imitatedOthers({ kubernetes, namespace, isGarden: isGarden(namespace) }).askWebhook()
      return fn.patch(resource, ...rest)
    },
  }),
  meanwhile: async ({ seed, cluster, namespace, untilEnded, leadAnother, refuseAnother }) => {
    const rotation = { phase: 'Preparing', lastInitiationTime: '2026-11-21T12:00:00Z' }
    const status = { credentials: { rotation: { certificateAuthorities: rotation } } }
    await cluster.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot: { status } } })
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    await refuseAnother(oidcOf('of-no-shoot'))
    await cluster.kubernetes.create(gardens, gardenOf())
    await leadAnother(
      oidcOf('garden', 'garden'),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'garden' } },
      apiServerOf('virtual-garden-kube-apiserver', 'garden', 1),
    )
  },
}

const oidcOf = (namespace: string, extensionClass?: 'garden'): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Extension',
  metadata: {
    name: 'shoot-oidc-service',
    namespace,
    annotations: { 'gardener.cloud/operation': 'reconcile' },
  },
  spec: { type: 'shoot-oidc-service', ...(extensionClass && { class: extensionClass }) },
})

export const networkAndRuntimeLives: readonly FunctionLife[] = [calicoLife, gvisorLife, oidcLife]
