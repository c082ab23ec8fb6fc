import type { ManagedResource } from '../../../../shared/contract/objects.ts'
import { managedResourceKind } from '../../../../shared/contract/resource-kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { readManifests } from '../../../../shared/resources/resources.ts'
import { definition as ofShoots } from '../../webhooks/kube-apiserver/webhook.ts'
import { definition as ofGarden } from '../../webhooks/virtual-garden-kube-apiserver/webhook.ts'
import { seedName } from '../managed-resources.ts'

export const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true } as const
export const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true } as const

/** The Deployment that the webhook changes. */
export const apiServerNameOf = (isGarden: boolean): string =>
  isGarden ? 'virtual-garden-kube-apiserver' : 'kube-apiserver'

export interface OthersOptions {
  readonly kubernetes: Kubernetes
  readonly namespace: string
  readonly isGarden: boolean
  /** True if the process of the webhooks responds. */
  readonly hasWebhook?: boolean
  /** True if pods start as soon as a Deployment is applied. */
  readonly rollsOut?: boolean
}

/**
 * Imitates other controllers in the namespace of an Extension: the resource manager, the API server of the seed, and
 * the Deployment controller.
 */
export const imitatedOthers = ({
  kubernetes,
  namespace,
  isGarden,
  hasWebhook = true,
  rollsOut = true,
}: OthersOptions) => {
  const key = (of: string) => ({ name: of, namespace })
  const objectsOfSeed = async (): Promise<readonly KubernetesObject[]> => {
    const present = await kubernetes.get(managedResourceKind.resource, key(seedName))
    const [secret] = (present as ManagedResource | undefined)?.spec?.secretRefs ?? []
    const found = secret && (await kubernetes.get(secrets, key(secret.name ?? '')))
    return found === undefined
      ? []
      : (readManifests(Object(found.data)) as Promise<readonly KubernetesObject[]>)
  }

  /** Imitates the Deployment controller. */
  const rollOut = async (of: string): Promise<void> => {
    const found = await kubernetes.get(deployments, key(of))
    if (found === undefined) return
    const { replicas } = Object(found.spec)
    const status = {
      observedGeneration: found.metadata.generation ?? 0,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    }
    await kubernetes.patch(deployments, key(of), { status }, { subresource: 'status' })
  }

  return {
    rollOut,
    /** Imitates the resource manager for objects in the seed. Other kinds do not matter here. */
    applySeed: async (): Promise<void> => {
      for (const object of await objectsOfSeed().catch(() => [])) {
        const of = object.kind === 'Deployment' ? deployments : object.kind === 'Secret' ? secrets : undefined
        if (of === undefined) continue
        const { name } = object.metadata
        const present = await kubernetes.get(of, key(name))
        if (present === undefined) await kubernetes.create(of, object)
        else await kubernetes.patch(of, key(name), { spec: object.spec ?? null, data: object.data ?? null })
        if (object.kind === 'Deployment' && rollsOut) await rollOut(name)
      }
    },
    /** Imitates the API server of the seed before it stores a Deployment. */
    askWebhook: async (): Promise<void> => {
      const name = apiServerNameOf(isGarden)
      const object = await kubernetes.get(deployments, key(name))
      if (object === undefined || !hasWebhook) return
      const { review } = isGarden ? ofGarden : ofShoots
      const { changed } = await review(
        {
          uid: 'u',
          operation: 'UPDATE',
          resource: { group: 'apps', version: 'v1', plural: 'deployments' },
          namespace,
          name,
          object,
          oldObject: object,
          dryRun: false,
        },
        kubernetes,
        {},
      )
      if (changed !== undefined) await kubernetes.patch(deployments, key(name), { spec: changed.spec })
      if (rollsOut) await rollOut(name)
    },
  }
}
