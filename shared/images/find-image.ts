import { CodedError } from '../contract/errors.ts'
import { type ImageSource, referenceOf } from './image-source.ts'
import { meetsConstraint } from './meets-constraint.ts'

/** Default architecture of machines. */
const usualArchitecture = 'amd64'

/**
 * Returns the reference of an image for a shoot's Kubernetes version: of the fitting entries the most specific one, and
 * of equal ones the first. Throws a `CodedError` if none fits.
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
