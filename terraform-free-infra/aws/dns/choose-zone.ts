import { canonicalName, isWithin } from './names.ts'
import type { HostedZone } from './route53.ts'

/**
 * The zone with the longest name that is the record's name or a suffix of it, label by label. Of zones with equal
 * names (a public and a private one) the later wins, as in the Go extension
 * (docs/contract/provider-aws.md#hosted-zone).
 */
export const chooseZone = (name: string, zones: readonly HostedZone[]): HostedZone | undefined => {
  let chosen: { readonly zone: HostedZone; readonly length: number } | undefined
  for (const zone of zones) {
    const { length } = canonicalName(zone.name)
    if (isWithin(name, zone.name) && (chosen === undefined || length >= chosen.length))
      chosen = { zone, length }
  }
  return chosen?.zone
}
