import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { isRecord, valueAt } from '../../../../shared/decode/record-of.ts'
import { when } from '../../../../shared/lists/when.ts'
import { isAbsent } from '../../../../shared/webhooks/garden/garden.ts'
import type { ShootSpec } from './shoot-parts.ts'

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

const overlayPath = 'spec.networking.providerConfig.overlay'

const overlayProblems = (
  networkConfig: unknown,
  { hasIpv6, isFormer }: { readonly hasIpv6: boolean; readonly isFormer: boolean },
): readonly Problem[] => {
  const overlay = overlayOf(networkConfig)
  if (isFormer && (overlay === 'unreadable' || overlay === 'unsaid')) return []
  switch (overlay) {
    case 'unreadable': {
      const isForm = typeof valueAt(networkConfig, 'overlay') !== 'object'
      return [
        isForm
          ? { path: overlayPath, message: 'expected an object with the field enabled' }
          : { path: `${overlayPath}.enabled`, message: 'expected true or false' },
      ]
    }
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

/**
 * The setting for the overlay network of the pods in `spec.networking.providerConfig`. `unreadable`: the value is
 * invalid; `unsaid`: an overlay without a value, which counts as on (docs/contract/admission.md#shoot-mutator).
 */
type Overlay = 'absent' | 'on' | 'off' | 'unsaid' | 'unreadable'

export const overlayOf = (networkConfig: unknown): Overlay => {
  const overlay = valueAt(networkConfig, 'overlay')
  if (isAbsent(overlay)) return 'absent'
  if (!isRecord(overlay)) return 'unreadable'
  const enabled = valueAt(overlay, 'enabled')
  if (isAbsent(enabled)) return 'unsaid'
  if (typeof enabled !== 'boolean') return 'unreadable'
  return enabled ? 'on' : 'off'
}
