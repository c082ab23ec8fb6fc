import { CodedError } from '../../../shared/contract/errors.ts'
import { deleteObject, keepObject } from '../../../shared/kubernetes/keep-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'

// Stands in for the cloud, so that everything runs before the first of its calls is written: a thing that the cloud would
// have is a ConfigMap. Write your client here, and keep what the two functions promise.

/** A thing in the cloud: a network, a record, a machine. */
export interface CloudThing {
  /** Always the same for the same object: who dies right after it was made finds it again. */
  readonly name: string
  readonly namespace: string
  readonly properties: Readonly<Record<string, unknown>>
}

const configMaps: GroupVersionResource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }

/** What the function may do in the API server for it. It goes with the stand-in. */
export const cloudPermissions = [
  {
    resource: configMaps,
    verbs: ['get', 'create', 'patch', 'delete'],
    why: 'They stand in for the cloud.',
  },
] as const

/** Whose a thing is. In a cloud a tag says so. */
const owner = 'trellis.gardener.cloud/owner'

/** Makes the thing, or changes what differs; writes nothing where nothing does. One that is another owner's stays, and the step fails. */
export const keepInCloud = async (step: StepContext, { name, namespace, properties }: CloudThing) => {
  const data = { properties: JSON.stringify(properties) }
  const metadata = { name, namespace, annotations: { [owner]: ownerOf(step.object) } }
  // TODO: read it, with the credentials in step.secret?.data and with step.signal.
  const found = await step.kubernetes.get(configMaps, { name, namespace })
  // TODO: create it, or change what differs. Right before each write to the cloud: step.throwIfExpired(). One to Kubernetes asks
  // for itself, and `trellis plan` foresees those alone.
  await keepObject(
    step.kubernetes,
    {
      resource: configMaps,
      create: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }),
      patch: present => {
        if (!isOwn(step, present))
          throw new CodedError(`${name} is there already, and is not of ${ownerOf(step.object)}`, {
            codes: ['ERR_CONFIGURATION_PROBLEM'],
          })
        return Object(present.data).properties === data.properties ? undefined : { data }
      },
    },
    found,
  )
}

/** Deletes the thing if it is the object's own. One that is not there is gone already. */
export const removeFromCloud = async (
  step: StepContext,
  { name, namespace }: Omit<CloudThing, 'properties'>,
) => {
  // TODO: read it, and delete it if its tag says that it is the object's, after step.throwIfExpired().
  const found = await step.kubernetes.get(configMaps, { name, namespace })
  if (found === undefined || !isOwn(step, found)) return
  await deleteObject(step.kubernetes, configMaps, found)
}

const isOwn = (step: StepContext, { metadata }: KubernetesObject): boolean =>
  metadata.annotations?.[owner] === ownerOf(step.object)

/** The same in every seed that the object moves to, unlike its uid. */
const ownerOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kind}/${metadata.namespace ?? ''}/${metadata.name}`
