import type { OperatingSystemConfig } from '../../contract/objects.ts'
import { keepObject } from '../../kubernetes/keep-object.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type StepContext, secrets } from '../../lifecycle/lifecycle.ts'
import { addSize } from './size.ts'

/** The key of the user data in its Secret. */
const dataKey = 'cloud_config'

/**
 * Makes or changes the Secret with the user data, which goes with the config that owns it. Nothing is written where it is
 * the same. Another controller's Secret of the name is left alone: an Error says whose it is.
 */
export const keepUserData = async (
  { object, kubernetes }: Pick<StepContext<OperatingSystemConfig>, 'object' | 'kubernetes'>,
  userData: string,
) => {
  const key = keyOf(object)
  const bytes = Buffer.from(userData)
  addSize(0, bytes.length)
  const value = bytes.toString('base64')
  const owner = ownerOf(object)
  const outcome = await keepObject(
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

/** That which the status names, as long as it is in the namespace of the config: one that was made under another name is kept. */
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

/** Undefined: it is as it shall be. */
const patchOf = (present: KubernetesObject, owner: OwnerReference, value: string): object | undefined => {
  const owners = (present.metadata.ownerReferences ?? []) as readonly OwnerReference[]
  const isPredecessor = (one: OwnerReference) => one.kind === owner.kind && one.name === owner.name
  const controller = owners.find(one => one.controller && !isPredecessor(one))
  if (controller !== undefined)
    throw new Error(
      `Secret "${present.metadata.name}" belongs to ${controller.kind} "${controller.name}", so no user data is put into it`,
    )
  const isOwned = owners.some(one => isPredecessor(one) && isSame(one, owner))
  const isSameData = Object(present.data)[dataKey] === value
  if (isOwned && isSameData) return undefined
  return {
    ...(isSameData ? {} : { data: { [dataKey]: value } }),
    // A config that was made anew under its name: its predecessor takes the Secret along no more.
    ...(isOwned
      ? {}
      : { metadata: { ownerReferences: [...owners.filter(one => !isPredecessor(one)), owner] } }),
  }
}

const isSame = (one: OwnerReference, other: OwnerReference): boolean =>
  one.uid === other.uid && one.controller === true && one.blockOwnerDeletion === true
