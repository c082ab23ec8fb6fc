import { X509Certificate } from 'node:crypto'
import type { Kubernetes, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { wholeShoot } from './whole-shoot.ts'

const namespace = wholeShoot.status.technicalID
const namespaced = { version: 'v1', namespaced: true } as const
const secrets = { ...namespaced, group: '', plural: 'secrets' }
const deployments = { ...namespaced, group: 'apps', plural: 'deployments' }

export const base64Text = (value: unknown): string => Buffer.from(String(value), 'base64').toString()

const textsOf = ({ data }: KubernetesObject): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries((data ?? {}) as object).map(([key, value]) => [key, base64Text(value)]))

/** The CAs of the shoot's ControlPlane in a seed. */
export const authorities = async (kubernetes: Kubernetes): Promise<readonly X509Certificate[]> => {
  const labelSelector = 'name=ca-provider-aws-controlplane'
  const { items } = await kubernetes.list(secrets, { namespace, labelSelector })
  return items.map(secret => new X509Certificate(textsOf(secret)['ca.crt'] ?? ''))
}

/** Returns the certificate of the pods of a Deployment, from the Secret that it mounts. */
export const servedBy = async (kubernetes: Kubernetes, deployment: string): Promise<X509Certificate> => {
  const found = await kubernetes.get(deployments, { name: deployment, namespace })
  for (const [, name = ''] of JSON.stringify(found?.spec ?? {}).matchAll(/"secretName":"([^"]+)"/g)) {
    const secret = await kubernetes.get(secrets, { name, namespace })
    const certificate = secret && textsOf(secret)['tls.crt']
    if (certificate !== undefined) return new X509Certificate(certificate)
  }
  throw new Error(`${deployment} mounts no certificate`)
}

export const isSignedBy = (certificate: X509Certificate, authority: X509Certificate | undefined): boolean =>
  authority !== undefined && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)

/** Returns the names of a seed's Secrets that contain a private key. */
export const privateKeys = async (kubernetes: Kubernetes): Promise<readonly string[]> =>
  (await kubernetes.list(secrets)).items
    .filter(secret => Object.values(textsOf(secret)).some(text => text.includes('PRIVATE KEY')))
    .map(({ metadata }) => metadata.name)
