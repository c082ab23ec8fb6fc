import { minorVersionOf } from '../../../../shared/contract/minor-version-of.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import { withProblem } from './control-plane-problem.ts'

export interface KubernetesVersion {
  /** `1.33.3` */
  readonly text: string
  readonly major: number
  readonly minor: number
}

/** Returns the shoot's version of Kubernetes. Throws a `CodedError` if the shoot names none. */
export const readVersion = ({ metadata, spec: { shoot } }: Cluster): KubernetesVersion => {
  const text = shoot.spec?.kubernetes?.version ?? ''
  return withProblem(`could not read the Kubernetes version of shoot '${metadata.name}'`, [], () =>
    withProblem(`invalid version string '${text}'`, [], () => ({ text, ...minorVersionOf(text) })),
  )
}

export const isAtLeast = ({ major, minor }: KubernetesVersion, wanted: number): boolean =>
  major > 1 || (major === 1 && minor >= wanted)
