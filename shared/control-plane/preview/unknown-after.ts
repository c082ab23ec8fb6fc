import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { certificatesIn, knownAfterCreate, type ShownOptions } from '../../resources/resources.ts'
import { caChecksumOf, secretLabels } from '../../secrets-manager/secrets-manager.ts'

/**
 * Returns the values that depend on random keys and are not created yet, or only as placeholders: certificates of the
 * CAs, and names of the Secrets with signed certificates, bundles, and manifests that name these.
 *
 * @param secrets those that were created, or their placeholders
 * @param end of a name, in place of its checksum
 */
export const unknownAfter = (
  secrets: readonly KubernetesObject[],
  end: string = knownAfterCreate,
): Pick<ShownOptions, 'unknownNames' | 'unknownCertificates'> => {
  const all = secrets.map(({ metadata, data }) => {
    const { name, labels = {} } = metadata
    const config = labels[secretLabels.name]
    const isSigned = labels[secretLabels.caChecksum] !== undefined
    const isBundle = labels[secretLabels.bundleFor] !== undefined
    return { name, labels, data, config, isAuthority: config !== undefined && !isSigned && !isBundle }
  })
  const authorities = all.filter(({ isAuthority }) => isAuthority)
  const checksums = new Set<string | undefined>(authorities.map(({ data }) => caChecksumOf(Object(data))))
  const unknownCertificates = new Set(
    authorities.flatMap(({ data }) => textsOf(data).flatMap(certificatesIn)),
  )
  const unknownNames = new Map<string, string>()
  for (const { name, labels, data, config, isAuthority } of all) {
    if (config === undefined || isAuthority) continue
    const certificates = textsOf(data).flatMap(certificatesIn)
    const isOfThem = checksums.has(labels[secretLabels.caChecksum] ?? 'none')
    if (isOfThem || certificates.some(pem => unknownCertificates.has(pem)))
      unknownNames.set(name, `${config}-${end}`)
  }
  // Webhooks contain the bundle in base64, which starts with the newest CA.
  const parts = [...unknownNames.keys(), ...[...unknownCertificates].map(pem => btoa(pem).slice(0, 200))]
  for (const { name, data, config } of all) {
    if (config !== undefined || !/-[0-9a-f]{8}$/.test(name)) continue
    if (textsOf(data).some(text => parts.some(part => text.includes(part))))
      unknownNames.set(name, name.replace(/[0-9a-f]{8}$/, end))
  }
  return { unknownNames, unknownCertificates }
}

/** Values of a Secret are base64. */
const textsOf = (data: unknown): readonly string[] =>
  Object.values(Object(data)).map(value => Buffer.from(String(value), 'base64').toString())
