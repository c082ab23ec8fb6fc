import { CodedError } from '../../../shared/contract/errors.ts'
import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'
import { ensureObject } from '../../../shared/kubernetes/ensure-object.ts'
import type { GroupVersionResource } from '../../../shared/kubernetes/kubernetes.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { BootFile } from './boot-script.ts'

type OscStep = StepContext<OperatingSystemConfig>

const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

export const secretPermissions = [
  {
    resource: secrets,
    verbs: ['get', 'create', 'patch'],
    why: 'User data, and Secrets with contents of files.',
  },
] as const

/** Reads the files of the spec, including contents in Secrets. */
export const readFiles = ({ object, kubernetes }: OscStep): Promise<readonly BootFile[]> =>
  Promise.all(
    (object.spec.files ?? []).map(async ({ path, permissions, content }) => {
      const { inline, secretRef, transmitUnencoded: isClear = false } = content
      const file = { path, isClear, ...(permissions !== undefined && { permissions }) }
      if (inline !== undefined)
        return { ...file, content: inline.encoding === 'b64' ? decode(inline.data) : inline.data }
      if (secretRef === undefined)
        throw wrong(`the file ${path} comes from an image, which a machine cannot read before it runs`)
      const { namespace = '' } = object.metadata
      const secret = await kubernetes.get(secrets, { namespace, name: secretRef.name })
      const data = Object(secret?.data)[secretRef.dataKey]
      if (typeof data !== 'string')
        throw wrong(
          `the file ${path} is missing: the Secret ${secretRef.name} has no key ${secretRef.dataKey}`,
        )
      return { ...file, content: decode(data) }
    }),
  )

/** Writes the Secret with the user data if it differs. The object owns the Secret, so both are deleted together. */
export const ensureUserData = async ({ object, kubernetes }: OscStep, userData: string) => {
  const { name: owner, namespace = '', uid } = object.metadata
  const name = `osc-result-${owner}`
  const data = { cloud_config: Buffer.from(userData).toString('base64') }
  const { apiVersion, kind } = object
  const ownerReferences = [{ apiVersion, kind, name: owner, uid, controller: true }]
  const present = await kubernetes.get(secrets, { namespace, name })
  const desired = {
    resource: secrets,
    create: () => ({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name, namespace, ownerReferences },
      data,
    }),
    patch: (found: typeof present & object) =>
      Object(found.data).cloud_config === data.cloud_config && isOwned(found, uid)
        ? undefined
        : { metadata: { ownerReferences }, data },
  }
  await ensureObject(kubernetes, desired, present)
  return { name, namespace }
}

const isOwned = (
  { metadata }: { readonly metadata: Readonly<Record<string, unknown>> },
  uid: string | undefined,
): boolean =>
  Array.isArray(metadata.ownerReferences) &&
  metadata.ownerReferences.some(reference => Object(reference).uid === uid)

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString()

const wrong = (message: string) => new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
