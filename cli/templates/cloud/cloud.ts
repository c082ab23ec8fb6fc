import { CodedError } from '../../../shared/contract/errors.ts'
import { deleteObject, ensureObject } from '../../../shared/kubernetes/ensure-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'

// Simulates the cloud, so that everything runs before you write the first real call: each cloud resource is a
// ConfigMap. Write your client here, with the same contract for the two functions.

/** A resource in the cloud: a network, a record, a machine. */
export interface CloudThing {
  /** Always the same for the same object: a process that dies right after the creation finds it again. */
  readonly name: string
  readonly namespace: string
  readonly properties: Readonly<Record<string, unknown>>
}

const configMaps: GroupVersionResource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }

/** The permissions in the API server for it. Remove them together with the simulation. */
export const cloudPermissions = [
  {
    resource: configMaps,
    verbs: ['get', 'create', 'patch', 'delete'],
    why: 'They replace the cloud in this example.',
  },
] as const

/** The owner of a resource. A real cloud uses a tag. */
const owner = 'trellis.gardener.cloud/owner'

/**
 * Creates the resource, or updates what differs; writes nothing if nothing differs. A resource of another owner is not
 * changed, and the step fails.
 */
export const ensureInCloud = async (step: StepContext, { name, namespace, properties }: CloudThing) => {
  const data = { properties: JSON.stringify(properties) }
  const metadata = { name, namespace, annotations: { [owner]: ownerOf(step.object) } }
  // TODO: read it, with the credentials in step.secret?.data and with step.signal.
  const found = await step.kubernetes.get(configMaps, { name, namespace })
  // TODO: create it, or update what differs. Right before each write to the cloud: step.throwIfExpired(). Writes to
  // Kubernetes check that themselves, and `trellis plan` shows only those.
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

/** Deletes the resource if the object owns it. A missing one counts as deleted. */
export const removeFromCloud = async (
  step: StepContext,
  { name, namespace }: Omit<CloudThing, 'properties'>,
) => {
  // TODO: read it, and delete it if its tag names the object, after step.throwIfExpired().
  const found = await step.kubernetes.get(configMaps, { name, namespace })
  if (found === undefined || !isOwn(step, found)) return
  await deleteObject(step.kubernetes, configMaps, found)
}

const isOwn = (step: StepContext, { metadata }: KubernetesObject): boolean =>
  metadata.annotations?.[owner] === ownerOf(step.object)

/** The same in every seed that the object migrates to, unlike its uid. */
const ownerOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kind}/${metadata.namespace ?? ''}/${metadata.name}`
