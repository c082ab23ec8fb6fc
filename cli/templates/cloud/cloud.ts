import { CodedError } from '../../../shared/contract/errors.ts'
import { deleteObject, ensureObject } from '../../../shared/kubernetes/ensure-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'

// This file simulates a cloud: each cloud resource is a ConfigMap, so the function runs before you write a real call.
// Replace the bodies of ensureInCloud and removeFromCloud with calls to your cloud. Their contracts remain.

/** A resource of the cloud, such as a network, a record or a machine. */
export interface CloudThing {
  /** Derived from the object, so that the next step finds the resource if the process dies right after its creation. */
  readonly name: string
  readonly namespace: string
  readonly properties: Readonly<Record<string, unknown>>
}

const configMaps: GroupVersionResource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }

/** The permissions that the simulation needs in the API server. Remove them together with it. */
export const cloudPermissions = [
  {
    resource: configMaps,
    verbs: ['get', 'create', 'patch', 'delete'],
    why: 'They replace the cloud in this example.',
  },
] as const

/** The annotation with the owner of a resource. In a real cloud, use a tag. */
const owner = 'trellis.gardener.cloud/owner'

/**
 * Creates the resource, or updates the properties that differ. Writes nothing if nothing differs. If the resource has
 * another owner, it throws and changes nothing.
 */
export const ensureInCloud = async (step: StepContext, { name, namespace, properties }: CloudThing) => {
  const data = { properties: JSON.stringify(properties) }
  const metadata = { name, namespace, annotations: { [owner]: ownerOf(step.object) } }
  // TODO: Read the resource from your cloud. Use the credentials in step.secret?.data, and pass step.signal.
  const found = await step.kubernetes.get(configMaps, { name, namespace })
  // TODO: Create it, or update the properties that differ. Call step.throwIfExpired() right before each write to the
  // cloud. Writes with step.kubernetes do that themselves, and `trellis plan` shows only those.
  await ensureObject(
    step.kubernetes,
    {
      resource: configMaps,
      create: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }),
      patch: present => {
        if (!isOwn(step, present))
          throw new CodedError(`${name} already exists and does not belong to ${ownerOf(step.object)}`, {
            codes: ['ERR_CONFIGURATION_PROBLEM'],
          })
        return Object(present.data).properties === data.properties ? undefined : { data }
      },
    },
    found,
  )
}

/** Deletes the resource if the object owns it. Does nothing if it does not exist or has another owner. */
export const removeFromCloud = async (
  step: StepContext,
  { name, namespace }: Omit<CloudThing, 'properties'>,
) => {
  // TODO: Read the resource. If its tag names the object, call step.throwIfExpired() and delete it.
  const found = await step.kubernetes.get(configMaps, { name, namespace })
  if (found === undefined || !isOwn(step, found)) return
  await deleteObject(step.kubernetes, configMaps, found)
}

const isOwn = (step: StepContext, { metadata }: KubernetesObject): boolean =>
  metadata.annotations?.[owner] === ownerOf(step.object)

/** Returns an id that does not change when the object migrates to another seed. Its uid changes. */
const ownerOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kind}/${metadata.namespace ?? ''}/${metadata.name}`
