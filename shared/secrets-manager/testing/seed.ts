import { X509Certificate } from 'node:crypto'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { interceptedKubernetes } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../clock/clock.ts'
import { namespaces, secrets } from '../../kubernetes/core-resources.ts'
import { createKubernetes, type Kubernetes, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import {
  type AuthorityConfig,
  type CertificateConfig,
  createSecretsManager,
  dnsNamesOfService,
  type GenerateOptions,
  type SecretsManagerOptions,
} from '../secrets-manager.ts'
import { shortKeys } from './short-keys.ts'

export const dayMs = 86_400_000
export const yearMs = 365 * dayMs
export const namespace = 'shoot--foo--bar'
export const identity = 'provider-aws-controlplane'
export const start = Date.parse('2026-01-01T00:00:00Z')

export const ca = {
  kind: 'ca',
  name: 'ca-provider-aws-controlplane',
  commonName: 'ca-provider-aws-controlplane',
  persist: true,
} as const satisfies AuthorityConfig

export const server = {
  kind: 'server',
  name: 'cloud-controller-manager-server',
  commonName: 'cloud-controller-manager',
  dnsNames: dnsNamesOfService('cloud-controller-manager', namespace),
  signedBy: { ca: ca.name },
  skipPublishingCaCertificate: true,
} as const satisfies CertificateConfig

export const webhook = {
  kind: 'server',
  name: 'aws-load-balancer-controller-webhook-service',
  commonName: 'aws-load-balancer-controller-webhook-service',
  dnsNames: dnsNamesOfService('aws-load-balancer-controller-webhook-service', namespace),
  signedBy: { ca: ca.name, use: 'current' },
  skipPublishingCaCertificate: true,
} as const satisfies CertificateConfig

/** The secrets that the ControlPlane of an AWS shoot needs. */
export const configs = [ca, server, webhook] as const

const createKeyPair = shortKeys()

export interface Fault {
  /** Number of the write, from 1. */
  readonly write: number
  /** True if the API server executes the write before the process dies. */
  readonly done: boolean
}

/** A seed with the namespace of a shoot, and a record of its requests. */
export const newSeed = async (at = start) => {
  const clock = virtualClock(at)
  const kubernetes = createKubernetes({ transport: createApiServer({ clock }).transport, clock })
  for (const name of [namespace, 'extension-provider'])
    await kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const requests: string[] = []
  let fault: Fault | undefined
  let writes = 0
  const watched: Pick<Kubernetes, 'get' | 'list' | 'create' | 'patch' | 'delete'> = interceptedKubernetes(
    kubernetes,
    async ({ verb, name, selector }, send) => {
      requests.push(`${verb} ${verb === 'list' ? selector : name}`)
      if (verb === 'get' || verb === 'list' || fault === undefined || ++writes !== fault.write) return send()
      if (fault.done) await send()
      throw new Error('the process has died')
    },
  )
  const all = async (where = namespace): Promise<readonly KubernetesObject[]> =>
    (await kubernetes.list(secrets, { namespace: where })).items
  const managerOf = (options: Partial<SecretsManagerOptions> = {}) =>
    createSecretsManager({
      kubernetes: watched,
      clock,
      namespace,
      identity,
      configs,
      createKeyPair,
      ...options,
    })
  return {
    clock,
    kubernetes,
    watched,
    secrets,
    /** All requests since the list was last emptied. */
    requests,
    all,
    names: async () => (await all()).map(({ metadata }) => metadata.name).sort(),
    secret: (name: string) => kubernetes.get(secrets, { name, namespace }),
    put: (object: Omit<KubernetesObject, 'apiVersion' | 'kind'> & Pick<KubernetesObject, 'metadata'>) => {
      const { metadata, ...rest } = object
      return kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        ...rest,
        metadata: { namespace, ...metadata },
      })
    },
    patch: (name: string, patch: object) => kubernetes.patch(secrets, { name, namespace }, patch),
    remove: (name: string) => kubernetes.delete(secrets, { name, namespace }),
    managerOf,
    /** Runs a reconcile that uses the Secrets and then cleans up. */
    reconcile: async (
      options: Partial<SecretsManagerOptions> = {},
      generateOptions: GenerateOptions = {},
    ) => {
      requests.length = 0
      const generated = await managerOf(options).generate(generateOptions)
      await generated.cleanUp()
      return generated
    },
    /** Makes the process die at a write. Undefined: at none. */
    failAt: (next: Fault | undefined) => {
      fault = next
      writes = 0
    },
  }
}

export type Seed = Awaited<ReturnType<typeof newSeed>>

/** A rotation that started at that time. */
export const rotationAt = (time: string, phase = 'Preparing') => ({
  startedAt: Date.parse(time),
  ignoresOld: phase === 'Completing' || phase === 'Completed',
})

/** Returns the certificate under a key of a Secret's data. */
export const certificateIn = (
  { data }: { readonly data?: unknown },
  key?: 'tls.crt' | 'ca.crt' | 'bundle.crt',
): X509Certificate => {
  const texts = data as Readonly<Record<string, string>>
  const found = key ?? (texts['tls.crt'] ? 'tls.crt' : texts['ca.crt'] ? 'ca.crt' : 'bundle.crt')
  return new X509Certificate(Buffer.from(texts[found] ?? '', 'base64'))
}

/** Returns the certificates of a bundle, in order. */
export const certificatesIn = ({ data }: { readonly data: Readonly<Record<string, string>> }) =>
  (
    Buffer.from(data['bundle.crt'] ?? '', 'base64')
      .toString()
      .match(/-----BEGIN[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  ).map(pem => new X509Certificate(pem))

/** Returns `CN=…`, the issuer of a Secret's certificate. */
export const issuerOf = (secret: { readonly data?: unknown }): string => certificateIn(secret).issuer
