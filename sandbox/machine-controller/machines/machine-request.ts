import type { Machine, MachineClass } from '../../../shared/contract/objects.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type { ControllerContext } from '../context.ts'
import type { MachineCloud, MachineRequest, SecretData } from '../machine-cloud.ts'

const textsOf = async (
  { kubernetes, signal }: ControllerContext,
  { name, namespace }: { readonly name?: string; readonly namespace?: string } = {},
): Promise<SecretData> => {
  if (name === undefined || namespace === undefined) return {}
  const secret = await kubernetes.get(secrets, { name, namespace }, { signal })
  if (secret === undefined) throw new Error(`secret ${namespace}/${name} not found`)
  const entries = Object.entries((secret.data ?? {}) as Readonly<Record<string, string>>)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  )
}

/** Returns the data of a class's Secrets. Rejects if one does not exist. */
export const secretDataOf = async (
  context: ControllerContext,
  { secretRef, credentialsSecretRef }: MachineClass,
): Promise<SecretData> => ({
  ...(await textsOf(context, secretRef)),
  ...(await textsOf(context, credentialsSecretRef)),
})

/** Returns a Machine for its cloud, and that cloud. Rejects if the class or its Secrets do not exist. */
export const machineRequest = async (
  context: ControllerContext,
  { metadata, spec }: Machine,
): Promise<{ readonly cloud: MachineCloud; readonly request: MachineRequest }> => {
  const { name, namespace = '' } = metadata
  const className = spec?.class?.name ?? ''
  const machineClass = context.classes.get({ name: className, namespace })
  if (machineClass === undefined) throw new Error(`machine class ${className} not found`)
  const secret = await secretDataOf(context, machineClass)
  return {
    cloud: context.cloudOf(machineClass),
    request: { name, providerId: spec?.providerID, machineClass, secret },
  }
}
