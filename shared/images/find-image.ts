import { CodedError } from '../contract/errors.ts'
import { type ImageSource, referenceOf } from './image-source.ts'
import { meetsConstraint } from './meets-constraint.ts'

/** Of machines that nobody says anything of. */
const usualArchitecture = 'amd64'

/**
 * The reference of an image for a shoot's version of Kubernetes: of the entries that fit the one that says most exactly for
 * what, and of those the first. Throws a `CodedError` when there is none.
 */
export const findImage = (
  images: readonly ImageSource[],
  name: string,
  kubernetesVersion: string,
): string => {
  const scored = images
    .filter(image => image.name === name)
    .map(image => ({ image, score: scoreOf(image, kubernetesVersion) }))
    .filter(({ score }) => score > 0)
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  if (best === undefined) {
    throw new CodedError(`could not find image "${name}" for Kubernetes ${kubernetesVersion}`, {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
  }
  return referenceOf(best.image, kubernetesVersion)
}

/** 0: does not fit. */
const scoreOf = ({ targetVersion, architectures }: ImageSource, kubernetesVersion: string): number => {
  const ofArchitecture = architectures === undefined ? 1 : scoreOfArchitectures(architectures)
  if (ofArchitecture === 0 || targetVersion === undefined) return ofArchitecture
  if (!meetsConstraint(kubernetesVersion, targetVersion)) return 0
  return ofArchitecture + (isExact(targetVersion) ? 2 : 1)
}

const scoreOfArchitectures = (architectures: readonly string[]): number =>
  architectures.includes(usualArchitecture) ? (architectures.length === 1 ? 2 : 1) : 0

const isExact = (constraint: string): boolean => /^(v?\d+\.\d+\.\d+|=)/.test(constraint)
