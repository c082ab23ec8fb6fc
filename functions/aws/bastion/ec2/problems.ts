import type { Problem } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { ingressProblems } from '../../../../terraform-free-infra/cloud/ingress-ranges.ts'
import { type BastionIdentity, bastionNames } from './desired.ts'

/** "User data must be … limited to 16 KB, in raw form, before it is base64-encoded", EC2 user guide. */
const mostUserData = 16 * 1024

/** "Maximum value length – 256 Unicode characters in UTF-8", Amazon EC2 user guide, of tags. */
const mostTagValue = 256

/** Returns all problems of a Bastion's own fields. `userData` is base64. */
export const bastionProblems = ({
  userData,
  ingress,
  ...identity
}: Pick<BastionIdentity, 'clusterName' | 'name' | 'userData' | 'ingress'>): readonly Problem[] => {
  const size = Buffer.byteLength(userData, 'base64')
  // The longest name.
  const { instance } = bastionNames(identity)
  const over = instance.length - mostTagValue
  return [
    ...when(over > 0, {
      path: 'metadata.name',
      message: `expected at most ${identity.name.length - over} characters, because EC2 accepts ${mostTagValue} for ${instance.slice(0, 80)}…, found ${identity.name.length}. Rename the Bastion`,
    }),
    ...when(size > mostUserData, {
      path: 'spec.userData',
      message: `expected at most ${mostUserData} bytes, the limit of EC2, found ${size}. Let the machine download the rest`,
    }),
    ...ingressProblems(ingress),
  ]
}
