import { CodedError } from '../../../../shared/contract/errors.ts'
import { minorVersionOf } from '../../../../shared/contract/minor-version-of.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { asksForAttributesClass } from '../../../../terraform-free-infra/aws/account/config/config.ts'

/** Returns true if mutable volume attributes are enabled and need a feature gate, as before Kubernetes 1.34. */
export const needsAttributesGate = ({ spec: { shoot } }: Cluster): boolean => {
  const { major, minor } = versionOf(shoot.spec?.kubernetes?.version ?? '')
  return asksForAttributesClass(shoot.metadata?.annotations) && (major < 1 || (major === 1 && minor < 34))
}

/** Returns true if Kubernetes allocates the pod ranges of nodes. With IPv6 they come from the VPC. */
export const allocatesNodeRanges = ({ spec: { shoot } }: Cluster): boolean =>
  !(shoot.spec?.networking?.ipFamilies ?? []).includes('IPv6') &&
  !(shoot.status?.networking?.nodes ?? []).some(range => range.includes(':'))

const versionOf = (version: string): ReturnType<typeof minorVersionOf> => {
  try {
    return minorVersionOf(version)
  } catch (error) {
    throw new CodedError(messageOf(error), { codes: [], cause: error })
  }
}
