import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import {
  overlayOf,
  overlayPath,
  overlayProblem,
  type ShootSpec,
} from '../../../../shared/webhooks/garden/garden.ts'

/**
 * Returns the errors in the networks of a shoot (docs/contract/admission.md#networking). Paths begin at the Shoot.
 * Ignores an existing overlay that other admissions allow.
 */
export const networkingProblems = (
  { networking }: ShootSpec,
  former: ShootSpec | undefined,
): readonly Problem[] => {
  const families = networking?.ipFamilies ?? []
  const hasIpv4 = families.length === 0 || families.includes('IPv4')
  return [
    ...when(hasIpv4 && !networking?.nodes, {
      path: 'spec.networking.nodes',
      message: 'expected the CIDR of the nodes, found nothing',
      kind: 'required' as const,
    }),
    ...overlayProblems(networking?.providerConfig, {
      hasIpv6: families.includes('IPv6'),
      isFormer:
        former !== undefined &&
        isDeepStrictEqual(former.networking?.providerConfig, networking?.providerConfig) &&
        isDeepStrictEqual(former.networking?.ipFamilies, networking?.ipFamilies),
    }),
  ]
}

const overlayProblems = (
  networkConfig: unknown,
  { hasIpv6, isFormer }: { readonly hasIpv6: boolean; readonly isFormer: boolean },
): readonly Problem[] => {
  const overlay = overlayOf(networkConfig)
  if (isFormer && (overlay === 'unreadable' || overlay === 'unsaid')) return []
  switch (overlay) {
    case 'unreadable':
      return [overlayProblem(networkConfig)]
    case 'absent': {
      const message = `expected ${overlayPath}.enabled: false beside IPv6, found nothing`
      return hasIpv6 ? [{ path: 'spec.networking.ipFamilies', message }] : []
    }
    case 'unsaid':
    case 'on': {
      const message = 'expected false: IPv6 does not support an overlay'
      return hasIpv6 ? [{ path: `${overlayPath}.enabled`, message }] : []
    }
    case 'off':
      return []
  }
}
