import { cutText } from '../../../../shared/text/cut-text.ts'
import type { DesiredInfrastructure, ManagedZone } from '../desired-infrastructure.ts'

/** More changes are counted: a config may have a hundred zones. */
const mostLines = 10

/**
 * Returns what the next reconcile of a changed infrastructure replaces or removes, one line each: changes that
 * interrupt traffic or take something away. Pure; it compares the desired states that the plan compares with the
 * account.
 *
 * @example ['replaces the NAT gateway in zone eu-west-1b: its egress address changes']
 */
export const disruptiveChanges = (
  former: DesiredInfrastructure,
  next: DesiredInfrastructure,
): readonly string[] => {
  const lines = [
    ...zoneChanges(former, next),
    ...removed(former.gatewayEndpoints, next.gatewayEndpoints).map(
      service =>
        `deletes the gateway endpoint ${named(service)}: its traffic goes through the NAT gateways or ends`,
    ),
    ...(former.ecrAccess && !next.ecrAccess
      ? ['removes the right to pull images from ECR from the role of the nodes']
      : []),
    ...unignored(former, next),
  ]
  const shown = lines.slice(0, mostLines)
  const more = lines.length - shown.length
  return more > 0 ? [...shown, `makes ${more} more disruptive changes of the infrastructure`] : shown
}

const zoneChanges = (former: DesiredInfrastructure, next: DesiredInfrastructure): readonly string[] => {
  if (former.zones.kind !== 'managed' || next.zones.kind !== 'managed') return []
  const before = new Map(former.zones.zones.map(zone => [zone.name, zone]))
  return next.zones.zones.flatMap(zone => {
    const was = before.get(zone.name)
    return was === undefined ? [] : [...subnetChange(was, zone), ...gatewayChange(was, zone)]
  })
}

/** A subnet cannot get or lose its IPv4 range. */
const subnetChange = (was: ManagedZone, zone: ManagedZone): readonly string[] =>
  was.workers === zone.workers ? [] : [`replaces the subnet of the nodes in zone ${named(zone.name)}`]

/** The address of a NAT gateway cannot change. */
const gatewayChange = (was: ManagedZone, { name, elasticIp }: ManagedZone): readonly string[] => {
  if (was.elasticIp === elasticIp) return []
  // Until now an address was allocated. The user may have chosen this same address.
  const unless = was.elasticIp === undefined ? ` unless it has ${named(String(elasticIp))}` : ''
  return [`replaces the NAT gateway in zone ${named(name)}${unless}: its egress address changes`]
}

/** A reconcile removes tags of others, except the ignored ones. */
const unignored = (
  { ignoreTags: was }: DesiredInfrastructure,
  { ignoreTags: now }: DesiredInfrastructure,
): readonly string[] => {
  const isIgnored = (text: string) =>
    now.keys.includes(text) || now.keyPrefixes.some(prefix => text.startsWith(prefix))
  return [
    ...was.keys
      .filter(key => !isIgnored(key))
      .map(key => `no longer ignores the tag ${named(key)}: a reconcile removes it from the infrastructure`),
    ...was.keyPrefixes
      .filter(prefix => !now.keyPrefixes.some(other => prefix.startsWith(other)))
      .map(
        prefix =>
          `no longer ignores the tags ${named(prefix)}*: a reconcile removes them from the infrastructure`,
      ),
  ]
}

const removed = (former: readonly string[], next: readonly string[]): readonly string[] =>
  former.filter(one => !next.includes(one))

/** Names are short words. Any other text is quoted. */
const named = (text: string): string =>
  /^[\w.:/-]+$/.test(text) ? cutText(text, 60) : JSON.stringify(cutText(text, 60))
