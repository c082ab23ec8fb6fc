import { recordOf, valueAt } from '../../../../shared/decode/record-of.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import {
  type CredentialsReference,
  findSecret,
  garden,
  isName,
  notFound,
  referenceIn,
  type ShootSpec,
  secretValuesIn,
} from '../../../../shared/webhooks/garden/garden.ts'
import { readCredentials } from '../../../../terraform-free-infra/openstack/account/credentials/read-credentials.ts'

type ShootDomain =
  /** Undefined: the Shoot names no credentials. */
  | { readonly ok: true; readonly domain: string | undefined }
  | { readonly ok: false; readonly message: string }

/** Reads the domain of the project of a Shoot from its credentials. */
export const readDomain = async (
  spec: ShootSpec,
  namespace: string,
  lookup: Lookup,
): Promise<ShootDomain> => {
  const found = await bindingOf(spec, namespace, lookup)
  if (found === undefined) return { ok: true, domain: undefined }
  const failed = (why: string): ShootDomain => ({
    ok: false,
    message: `failed to get cloud provider credentials: ${why}`,
  })
  if (typeof found === 'string') return failed(found)
  const secret = await findSecret(found, lookup)
  if (secret.kind === 'missing') return failed(notFound(found))
  if (secret.kind === 'unsupported') return failed(secret.message)
  const { keys, textAt } = secretValuesIn(secret.object)
  const data = Object.fromEntries(keys.map(key => [key, textAt(key) ?? '']))
  try {
    return { ok: true, domain: readCredentials({ ...found, labels: {}, data }).domainName }
  } catch (error) {
    return failed(messageOf(error))
  }
}

/** Returns the reference of the binding of a Shoot, or why there is none. Undefined: the Shoot names none. */
const bindingOf = async (
  { secretBindingName, credentialsBindingName }: ShootSpec,
  namespace: string,
  lookup: Lookup,
): Promise<CredentialsReference | string | undefined> => {
  const name = secretBindingName || credentialsBindingName
  if (!name) return undefined
  const resource = secretBindingName ? garden.secretBindings : garden.credentialsBindings
  const binding = isName(name) ? await lookup.get(resource, { namespace, name }) : undefined
  if (binding === undefined) return `${resource.plural}.${resource.group} ${JSON.stringify(name)} not found`
  return secretBindingName
    ? {
        ...referenceIn(valueAt(binding, 'secretRef'), namespace),
        apiVersion: 'v1',
        kind: 'Secret',
      }
    : referenceIn(recordOf(binding).credentialsRef, namespace)
}
