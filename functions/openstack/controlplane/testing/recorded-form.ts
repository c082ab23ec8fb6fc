import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../../../../shared/resources/resources.ts'
import type { openstackControlPlaneCases } from '../../../../test/beside/beside.ts'
import { recordedOpenStackControlPlane } from '../../../../test/recorded/control-planes.ts'
import { digested } from '../../../../test/recorded/digests.ts'
import { rendered } from './control-plane.ts'
import { fixes } from './fixes.ts'

export type RecordedCase = (typeof openstackControlPlaneCases)[number]

/** A host in place of the recordings' `<keystone>`, which is part of no URL. */
const keystone = 'keystone.example.com'

/** The data of the Secret with the credentials of a recording, in plain text. */
export const credentialsOf = (name: RecordedCase): Readonly<Record<string, string>> => ({
  domainName: 'acme',
  tenantName: 'shoots',
  authURL: `http://${keystone}/v3`,
  ...(name === 'application-credential'
    ? {
        applicationCredentialID: 'fedcba9876543210fedcba9876543210',
        applicationCredentialSecret: 'app-secret',
      }
    : { username: 'gardener', password: 'gardener-secret' }),
})

/** The ManagedResources of Trellis for a recorded ControlPlane. */
export const desiredOf = (name: RecordedCase): readonly DesiredManagedResource[] => {
  const { controlPlane, cluster } = recordedOpenStackControlPlane(name).input
  return rendered(
    { controlPlane, cluster, credentials: credentialsOf(name) },
    { replicas: name === 'hibernated' ? 0 : 1, serverSecret: 'cloud-controller-manager-server-<hash8>' },
  )
}

/** Returns the objects with the defects of the Go extension. */
export const defective = (
  resource: string,
  objects: readonly KubernetesObject[],
): readonly KubernetesObject[] =>
  fixes.reduce((changed, fix) => (fix.resource === resource ? fix.undo(changed) : changed), objects)

/** Returns objects in the form of the recordings: Secrets in plain text, and placeholders for checksums. */
export const recordedForm = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  JSON.parse(
    JSON.stringify(objects.map(withTexts))
      .replaceAll(/(?<="checksum\/[^"]+":")[0-9a-f]{64}/g, '<hex64>')
      .replaceAll(keystone, '<keystone>'),
  )

const withTexts = (object: KubernetesObject): KubernetesObject => {
  if (object.kind !== 'Secret') return object
  const { data, ...rest } = object as KubernetesObject & { readonly data?: Readonly<Record<string, string>> }
  const texts = Object.entries(data ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString(),
  ])
  return { ...rest, dataDecoded: Object.fromEntries(texts) }
}

/** Returns the digests of the objects as the Go extension renders them. */
export const digestsOf = (
  resource: string,
  objects: readonly KubernetesObject[],
): readonly KubernetesObject[] => recordedForm(defective(resource, objects)).map(digested)
