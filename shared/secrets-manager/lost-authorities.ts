import type { SecretConfig } from './config.ts'
import type { Generation } from './generate.ts'
import { secretLabels } from './labels.ts'
import { caChecksumOf } from './names/secret-name.ts'

/**
 * Returns the CAs that lost their Secret while their certificates exist. A certificate with the mark of the clean-up is
 * ignored, because its CA was removed on purpose.
 */
export const lostAuthorities = (
  configs: readonly SecretConfig[],
  { present, authorities }: Pick<Generation, 'present' | 'authorities'>,
): readonly string[] =>
  [...authorities].flatMap(([ca, { current }]) => {
    const known = new Set(
      [current, ...present.filter(({ config }) => config === ca)].map(({ data }) => caChecksumOf(data)),
    )
    const signed = new Set(
      configs.flatMap(config => ('signedBy' in config && config.signedBy.ca === ca ? [config.name] : [])),
    )
    const orphans = present.filter(
      ({ config, labels, unusedSince }) =>
        unusedSince === undefined && signed.has(config) && !known.has(labels[secretLabels.caChecksum] ?? ''),
    )
    return orphans.length > 0 ? [ca] : []
  })
