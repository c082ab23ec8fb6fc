import type { IpPermission } from '@aws-sdk/client-ec2'

/** Summarizes rules of a security group: `tcp 30000-32767 10.0.0.0/8`, `all sg-0a1`. */
export const securityRulesIn = (permissions: unknown): readonly string[] => {
  // The codec has parsed them with the operation's own schema.
  const rules: readonly IpPermission[] = Array.isArray(permissions) ? permissions : []
  return rules.map((rule, index) => `${ruleText(rule)}${index < rules.length - 1 ? ';' : ''}`)
}

const ruleText = ({ IpProtocol, FromPort, ToPort, ...others }: IpPermission): string => {
  const ports = FromPort === undefined ? '' : FromPort === ToPort ? ` ${FromPort}` : ` ${FromPort}-${ToPort}`
  const peers = [
    ...(others.IpRanges ?? []).map(({ CidrIp }) => CidrIp),
    ...(others.Ipv6Ranges ?? []).map(({ CidrIpv6 }) => CidrIpv6),
    ...(others.UserIdGroupPairs ?? []).map(({ GroupId }) => GroupId),
    ...(others.PrefixListIds ?? []).map(({ PrefixListId }) => PrefixListId),
  ]
  return `${IpProtocol === '-1' ? 'all' : IpProtocol}${ports} ${peers.join(', ')}`
}
