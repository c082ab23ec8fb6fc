import { type Problem, problemsInEach, shown } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import { formats, formProblems } from '../../../account/formats.ts'
import type { InfrastructureConfig } from '../config.ts'
import { networkProblems } from './network-problems.ts'
import { zoneProblems } from './zone-problems.ts'

/**
 * Returns the problems of a config that do not depend on a shoot (docs/contract/provider-aws.md#rules-for-the-config).
 *
 * @param asker a step refuses only a config that cannot work, because a rule of admission may be newer than the object
 */
export const configProblems = (
  config: InfrastructureConfig,
  asker: 'admission' | 'step',
): readonly Problem[] => [
  ...zoneProblems(config, asker),
  ...networkProblems(config),
  ...tagProblems(config, asker),
]

/** Tags that the infrastructure itself needs. */
const reservedKey = 'Name'
const reservedPrefixes = ['kubernetes.io', 'gardener.cloud'] as const

/**
 * Returns the problems of the ignored tags (docs/contract/provider-aws.md#ignored-tags). Only admission checks their
 * form, because AWS allows further characters.
 */
const tagProblems = (
  { ignoreTags }: InfrastructureConfig,
  asker: 'admission' | 'step',
): readonly Problem[] => {
  const judge = (
    path: string,
    value: string,
    reservedIn: (value: string) => string | undefined,
  ): readonly Problem[] => {
    const malformed = asker === 'admission' ? formProblems(path, value, formats.tagKey) : []
    return malformed.length > 0 ? malformed : reservedProblems(path, value, reservedIn(value))
  }
  return [
    ...problemsInEach(ignoreTags?.keys ?? [], (key, index) =>
      judge(`ignoreTags.keys[${index}]`, key, reservedInKey),
    ),
    ...problemsInEach(ignoreTags?.keyPrefixes ?? [], (prefix, index) =>
      judge(`ignoreTags.keyPrefixes[${index}]`, prefix, reservedInPrefix),
    ),
  ]
}

const reservedProblems = (path: string, value: string, reserved: string | undefined): readonly Problem[] =>
  when(reserved !== undefined, {
    path,
    message: `expected your own tag, found ${shown(value)}: ${reserved} is reserved for the infrastructure`,
  })

const reservedInKey = (key: string): string | undefined =>
  key === reservedKey ? reservedKey : reservedPrefixes.find(prefix => key.startsWith(prefix))

const reservedInPrefix = (prefix: string): string | undefined =>
  reservedKey.startsWith(prefix)
    ? reservedKey
    : reservedPrefixes.find(reserved => prefix.startsWith(reserved) || reserved.startsWith(prefix))
