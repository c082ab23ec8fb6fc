import type { OperatingSystemConfig } from '../../contract/objects.ts'
import { ensureObject } from '../../kubernetes/ensure-object.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type StepContext, secrets } from '../../lifecycle/lifecycle.ts'
import { addSize } from './size.ts'

/** Key of the user data in its Secret. */
const dataKey = 'cloud_config'

/**
 * Creates or updates the Secret with the user data, which is owned by the config and deleted with it. Does not write an
 * unchanged Secret. Never changes another controller's Secret of the same name: throws an Error with its owner.
 */
export const ensureUserDataSecret = async (
  { object, kubernetes }: Pick<StepContext<OperatingSystemConfig>, 'object' | 'kubernetes'>,
  userData: string,
) => {
  const key = keyOf(object)
  const bytes = Buffer.from(userData)
  addSize(0, bytes.length)
  const value = bytes.toString('base64')
  const owner = ownerOf(object)
  const outcome = await ensureObject(
    kubernetes,
    {
      resource: secrets,
      create: () => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { ...key, ownerReferences: [owner] },
        type: 'Opaque',
        data: { [dataKey]: value },
      }),
      patch: present => patchOf(present, owner, value),
      isLocked: patch => 'metadata' in patch,
    },
    await kubernetes.get(secrets, key),
  )
  return { outcome, secretRef: key }
}

/** Returns the Secret in the status if it is in the config's namespace, so that one with another name is retained. */
const keyOf = ({ metadata: { name, namespace = '' }, status }: OperatingSystemConfig) => {
  const named = status?.cloudConfig?.secretRef
  const own = named?.name !== undefined && named.namespace === namespace ? named.name : `osc-result-${name}`
  return { name: own, namespace }
}

interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

const ownerOf = ({
  apiVersion,
  kind,
  metadata: { name, uid = '' },
}: OperatingSystemConfig): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
})

/** Undefined: the Secret is up to date. */
const patchOf = (present: KubernetesObject, owner: OwnerReference, value: string): object | undefined => {
  const owners = (present.metadata.ownerReferences ?? []) as readonly OwnerReference[]
  const isPredecessor = (one: OwnerReference) => one.kind === owner.kind && one.name === owner.name
  const controller = owners.find(one => one.controller && !isPredecessor(one))
  if (controller !== undefined)
    throw new Error(
      `Secret "${present.metadata.name}" belongs to ${controller.kind} "${controller.name}", so the user data is not written`,
    )
  const isOwned = owners.some(one => isPredecessor(one) && isSame(one, owner))
  const isSameData = Object(present.data)[dataKey] === value
  if (isOwned && isSameData) return undefined
  return {
    ...(isSameData ? {} : { data: { [dataKey]: value } }),
    // If the config was recreated under its name, its predecessor no longer owns the Secret.
    ...(isOwned
      ? {}
      : { metadata: { ownerReferences: [...owners.filter(one => !isPredecessor(one)), owner] } }),
  }
}

const isSame = (one: OwnerReference, other: OwnerReference): boolean =>
  one.uid === other.uid && one.controller === true && one.blockOwnerDeletion === true
