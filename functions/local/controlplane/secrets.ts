import { dnsNamesOfService, type SecretConfig } from '../../../shared/secrets-manager/secrets-manager.ts'
import { providerName } from '../provider/local.ts'
import { cloudControllerName } from './cloud-controller.ts'

/** Identity of the ControlPlanes' secrets, to distinguish them from others in the namespace. */
export const secretsIdentity = `${providerName}-controlplane`

const authority = `ca-${secretsIdentity}`
export const cloudControllerServer = `${cloudControllerName}-server`

/** Validity of the password, in ms. */
const passwordMs = 3_600_000

/**
 * The configs of the generated Secrets. The dummies are unused; they demonstrate each kind
 * (docs/contract/provider-local.md#controlplane).
 */
export const secretConfigs = (namespace: string): readonly SecretConfig[] => {
  const server = (name: string, service: string) =>
    ({
      kind: 'server',
      name,
      commonName: service,
      dnsNames: dnsNamesOfService(service, namespace),
      signedBy: { ca: authority },
    }) as const
  return [
    { kind: 'ca', name: authority, commonName: authority, persist: true, autoRotate: false },
    { ...server(cloudControllerServer, cloudControllerName), skipPublishingCaCertificate: true },
    server(`${providerName}-dummy-server`, `${providerName}-dummy-server`),
    {
      kind: 'client',
      name: `${providerName}-dummy-client`,
      commonName: `extensions.gardener.cloud:${providerName}:dummy-client`,
      organization: [`extensions.gardener.cloud:${providerName}:dummy`],
      signedBy: { ca: authority },
      skipPublishingCaCertificate: true,
    },
    {
      kind: 'password',
      name: `${providerName}-dummy-auth`,
      passwordLength: 32,
      validityMs: passwordMs,
    },
  ]
}
