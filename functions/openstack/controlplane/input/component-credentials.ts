import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { Keystone } from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import { readCredentials } from '../../../../terraform-free-infra/openstack/account/openstack.ts'

/** The credentials in the configurations of components. Contains secret values. An absent text is empty, as in Go. */
export interface ComponentCredentials {
  readonly authUrl: string
  readonly domainName: string
  readonly tenantName: string
  readonly username: string
  /** Undefined: an application credential. */
  readonly password: string | undefined
  readonly applicationCredential:
    | { readonly id: string; readonly name: string; readonly secret: string }
    | undefined
  /** The CA certificates of OpenStack in PEM. Undefined: those of the host. */
  readonly ca: string | undefined
  /** True if the components do not verify certificates. */
  readonly isInsecure: boolean
}

/**
 * Reads the credentials of a Secret. Without a URL in it, the CloudProfile's Keystone applies. Throws a `CodedError` with
 * ERR_CONFIGURATION_PROBLEM that names the Secret and the key, never a value.
 *
 * @param object `namespace/name` of the ControlPlane
 */
export const readComponentCredentials = (
  secret: Secret | undefined,
  object: string,
  keystone: Keystone | undefined,
): ComponentCredentials => {
  if (secret === undefined)
    throw configurationProblem(
      `the ControlPlane ${object} names no Secret with credentials: set spec.secretRef`,
    )
  const { domainName, tenantName, authUrl, tls } = readCredentials(secret)
  const url = authUrl ?? keystone?.url
  if (url === undefined)
    throw configurationProblem(
      `the Secret ${secret.namespace}/${secret.name} has no authURL, and the CloudProfile has no keystoneURL for the region. Set one of them`,
    )
  const { ca, insecure } = authUrl === undefined ? { ...keystone?.tls, ...tls } : tls
  const {
    username = '',
    password,
    applicationCredentialID: id = '',
    applicationCredentialName: name = '',
    applicationCredentialSecret,
  } = secret.data
  return {
    authUrl: url,
    domainName,
    tenantName,
    username,
    password: password || undefined,
    applicationCredential: applicationCredentialSecret
      ? { id, name, secret: applicationCredentialSecret }
      : undefined,
    ca,
    isInsecure: insecure === true,
  }
}
