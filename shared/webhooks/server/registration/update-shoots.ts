import type { ManagedResource } from '../../../contract/objects.ts'
import { parseManagedResource } from '../../../contract/parse.ts'
import { managedResourceKind } from '../../../contract/resource-kinds.ts'
import {
  resourceNames,
  type ShootWebhooks,
  shootWebhooksResource,
} from '../../../control-plane/control-plane.ts'
import { namespaces } from '../../../kubernetes/core-resources.ts'
import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import { listAll } from '../../../kubernetes/list-all.ts'
import type { Log } from '../../../log/log.ts'
import { appliedWait, ensureManagedResource } from '../../../resources/resources.ts'
import { messageOf } from '../../../text/message-of.ts'

/**
 * Updates the configuration in all shoots that have it, so that a CA rotation does not require a reconcile of their
 * control planes. Returns the number of shoots that have not applied it yet. A failed write is reported, and does not
 * affect other shoots.
 */
export const updateShoots = async (
  kubernetes: Kubernetes,
  provider: string,
  webhooks: ShootWebhooks,
  log: Log,
): Promise<{ readonly changed: number; readonly unapplied: number }> => {
  const [shoots, present] = await Promise.all([
    shootNamespaces(kubernetes, provider),
    listAll(kubernetes, managedResourceKind.resource, {
      fieldSelector: `metadata.name=${resourceNames.webhooks}`,
    }),
  ])
  let changed = 0
  let unapplied = 0
  for (const object of present) {
    const parsed = parseManagedResource(object)
    const { namespace = '' } = object.metadata
    if (!parsed.ok || !shoots.has(namespace) || object.metadata.deletionTimestamp !== undefined) continue
    try {
      const { outcome, managedResource } = await ensureManagedResource(
        { ...kubernetes, create: onlySecrets(kubernetes) },
        shootWebhooksResource(webhooks, namespace),
        parsed.object,
      )
      if (outcome === 'changed') changed++
      if (!isApplied(managedResource)) unapplied++
    } catch (error) {
      unapplied++
      log.warn('cannot write the webhooks of a shoot', { namespace, error: messageOf(error) })
    }
  }
  return { changed, unapplied }
}

/** If a ManagedResource was deleted meanwhile, its control plane is being deleted, so it is not recreated. */
const onlySecrets =
  (kubernetes: Pick<Kubernetes, 'create'>): Kubernetes['create'] =>
  (resource, object, options) =>
    resource.plural === 'secrets'
      ? kubernetes.create(resource, object, options)
      : Promise.reject(new Error(`${object.metadata.name} was deleted`))

const isApplied = (managedResource: ManagedResource): boolean => {
  const { name, namespace = '' } = managedResource.metadata
  return appliedWait({ name, namespace }, managedResource).kind === 'over'
}

/** Returns the shoot namespaces of a provider, without those in deletion. */
const shootNamespaces = async (kubernetes: Kubernetes, provider: string): Promise<ReadonlySet<string>> => {
  const found = await listAll(kubernetes, namespaces, {
    labelSelector: `gardener.cloud/role=shoot,shoot.gardener.cloud/provider=${provider}`,
  })
  return new Set(
    found
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata: { name } }) => name),
  )
}
