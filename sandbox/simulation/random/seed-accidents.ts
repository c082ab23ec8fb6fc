import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'

/** Returns the changed object in words, or undefined if there is none. */
type SeedAccident = (kubernetes: Kubernetes, namespace: string, pick: number) => Promise<string | undefined>

const { MachineDeployment, Machine } = machineKinds

type ActOnObject = (
  kubernetes: Kubernetes,
  resource: GroupVersionResource,
  key: { readonly name: string; readonly namespace: string },
) => Promise<unknown>

/** Acts on one object of a kind in the namespace of a shoot. */
const onOne =
  (
    resource: GroupVersionResource,
    act: ActOnObject,
    isMeant: (object: KubernetesObject) => boolean = () => true,
  ): SeedAccident =>
  async (kubernetes, namespace, pick) => {
    const { items } = await kubernetes.list(resource, { namespace })
    const meant = items.filter(isMeant)
    const chosen = meant[pick % Math.max(meant.length, 1)]
    if (chosen === undefined) return undefined
    await act(kubernetes, resource, { name: chosen.metadata.name, namespace })
    return `${resource.plural} ${chosen.metadata.name}`
  }

const remove: ActOnObject = (kubernetes, resource, key) => kubernetes.delete(resource, key)
const patch =
  (content: object): ActOnObject =>
  (kubernetes, resource, key) =>
    kubernetes.patch(resource, key, content)

/** People and programs in a seed, by what they do. The functions repair it with the next reconciliation. */
export const seedAccidents: Readonly<Record<string, SeedAccident>> = {
  'delete a ManagedResource': onOne(managedResourceKind.resource, remove),
  'delete the Secret of a ManagedResource': onOne(secrets, remove, ({ metadata }) =>
    metadata.name.startsWith('managedresource-'),
  ),
  'delete a Machine': onOne(Machine.resource, remove),
  'delete a MachineDeployment': onOne(MachineDeployment.resource, remove),
  'scale a MachineDeployment to zero': onOne(MachineDeployment.resource, patch({ spec: { replicas: 0 } })),
  'request a reconciliation of the Infrastructure': onOne(
    kinds.Infrastructure.resource,
    patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } }),
  ),
  'request a reconciliation of the Worker': onOne(
    kinds.Worker.resource,
    patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } }),
  ),
  'remove the step of a DNSRecord': onOne(
    kinds.DNSRecord.resource,
    patch({ metadata: { annotations: { [annotations.step]: null } } }),
  ),
  'remove the step of the Worker': onOne(
    kinds.Worker.resource,
    patch({ metadata: { annotations: { [annotations.step]: null } } }),
  ),
}
