import type { NotedWrite } from '../../lifecycle/lifecycle.ts'
import { caChecksumOf, secretLabels } from '../../secrets-manager/secrets-manager.ts'
import { secrets } from '../core-resources.ts'
import { knownAfterCreate } from './control-plane-plan.ts'
import { certificatesIn, type ShownOptions } from './shown-objects.ts'

/**
 * What follows from the keys that a plan has made for itself, and will be another in the step: certificates of new CAs, and
 * the names of the Secrets with what these sign, with their bundles, and with manifests that name them.
 */
export const unknownAfter = (
  writes: readonly NotedWrite[],
): Pick<ShownOptions, 'unknownNames' | 'unknownCertificates'> => {
  const created = writes.flatMap(write =>
    write.verb === 'create' && write.resource.plural === secrets.plural ? [write.object] : [],
  )
  const textsOf = (data: unknown): readonly string[] =>
    Object.values(Object(data)).map(value => Buffer.from(String(value), 'base64').toString())
  const unknownNames = new Map<string, string>()
  const unknownCertificates = new Set<string>()
  const authorities = new Set<string>()
  // In order: a CA is made before what it signs.
  for (const { metadata, data } of created) {
    const { name, labels = {} } = metadata
    const config = labels[secretLabels.name]
    const signedBy = labels[secretLabels.caChecksum]
    if (config === undefined) continue
    const certificates = textsOf(data).flatMap(certificatesIn)
    if (labels[secretLabels.bundleFor] === undefined && signedBy === undefined) {
      authorities.add(caChecksumOf(Object(data)))
      for (const pem of certificates) unknownCertificates.add(pem)
    } else if (authorities.has(signedBy ?? '') || certificates.some(pem => unknownCertificates.has(pem)))
      unknownNames.set(name, `${config}-${knownAfterCreate}`)
  }
  for (const { metadata, data } of created) {
    if (metadata.labels?.[secretLabels.name] !== undefined) continue
    const texts = textsOf(data)
    const parts = [...unknownNames.keys(), ...[...unknownCertificates].map(pem => btoa(pem).slice(0, 200))]
    if (texts.some(text => parts.some(part => text.includes(part))))
      unknownNames.set(metadata.name, `${metadata.name.replace(/-[0-9a-f]{8}$/, '')}-${knownAfterCreate}`)
  }
  return { unknownNames, unknownCertificates }
}
