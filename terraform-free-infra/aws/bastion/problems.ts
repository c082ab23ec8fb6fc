import type { Problem } from '../../../shared/contract/problems.ts'
import { type IngressBlock, ingressProblems } from './ingress-ranges.ts'

/** "User data must be … limited to 16 KB, in raw form, before it is base64-encoded", EC2 user guide. */
const mostUserData = 16 * 1024

/** Everything that can be wrong with a Bastion's own fields. `userData` is base64. */
export const bastionProblems = (spec: {
  readonly userData: string
  readonly ingress: readonly { readonly ipBlock: IngressBlock }[]
}): readonly Problem[] => {
  const size = Buffer.byteLength(spec.userData, 'base64')
  return [
    ...(size > mostUserData
      ? [
          {
            path: 'spec.userData',
            message: `expected at most ${mostUserData} bytes, which is what EC2 takes, found ${size}; have the machine fetch the rest`,
          },
        ]
      : []),
    ...ingressProblems(spec.ingress.map(({ ipBlock }) => ipBlock)),
  ]
}
