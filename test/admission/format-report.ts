import type { ComparedReview } from './compare-review.ts'
import { knownDifferences } from './differences.ts'

/** Returns the number of matching answers for each file, and each difference with its reason. */
export const formatReport = (compared: readonly ComparedReview[]): string => {
  const files = [...new Set(compared.map(({ file }) => file))]
  const different = compared.filter(({ differences }) => differences.length > 0)
  return [
    ...files.map(file => {
      const reviews = compared.filter(one => one.file === file)
      return `${file}: ${reviews.filter(one => !different.includes(one)).length} of ${reviews.length} alike`
    }),
    `all: ${compared.length - different.length} of ${compared.length} alike`,
    ...different.flatMap(({ file, name, differences }) => [
      '',
      `${file}, "${name}"`,
      ...differences.map(difference => `  ${difference}`),
      `  ${knownDifferences.find(known => known.file === file && known.name === name)?.reason ?? 'NOT EXPECTED'}`,
    ]),
  ].join('\n')
}
